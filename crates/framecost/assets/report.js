// The page: reads the data that stands in it, builds a section for each report, and draws a chart when it comes into view.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);

/** The verdict: a colour, a symbol, a word and a sentence. */
function verdictBox(verdict, level) {
  return el('div', { class: `verdict tone-${verdict.tone}` },
    el('span', { class: 'symbol', 'aria-hidden': 'true', text: TONE_SYMBOLS[verdict.tone] }),
    el('div', {},
      el(level, { class: 'word', text: verdict.word }),
      el('p', { class: 'sentence' }, named(verdict.sentence)),
      verdict.tally ? el('p', { class: 'tally' }, named(verdict.tally)) : null));
}

function list(texts, className) {
  return texts.length ? el('ul', { class: className }, ...texts.map((text) => el('li', {}, named(text)))) : null;
}

/** What the charts of a section share: which run, which figure, which frame. */
function stateOf(section) {
  const state = { run: 0, figure: 0, at: 0, changed: [] };
  state.now = () => { const run = section.runs[state.run]; return { run, frames: framesOf(run.frames) }; };
  const first = () => { const { slowest, median } = state.now().run.picks; return slowest ?? median ?? 0; };
  state.choose = () => { state.at = first(); state.changed.forEach((it) => it()); };
  state.show = (at) => {
    state.at = at;
    state.timeline?.();
  };
  state.at = first();
  return state;
}

function block(title, ...children) {
  return el('section', { class: 'card' }, el('h3', { text: title }), ...children);
}

function chartsOf(section, id) {
  const made = [];
  const add = (it) => { made.push(it.figure ?? it); return it; };
  if (section.runs.length && section.figures.length) {
    const state = stateOf(section);
    add(framesCard(section, state, id));
    if (section.runs.some((run) => run.stack)) add(stackCard(section, state, id));
    if (section.runs.some((run) => run.lanes)) {
      const before = state.changed.length;
      add(lanesCard(section, state));
      state.timeline = state.changed[before];
      const note = section.runs.map((run) => run.lanes?.note).find(Boolean);
      if (note) add(el('p', { class: 'note' }, named(note)));
    }
  }
  if (section.spreads.length) add(spreadCard(section));
  if (section.changes.length) add(changesCard(section));
  if (section.judged) add(block('Figures to look at', tableOf(section.judged, 'Judged figures')));
  if (section.budgets.some((it) => it.used !== null)) add(budgetsCard(section));
  if (section.budgets.length) add(block('Limits', budgetTable(section)));
  if (section.gates) add(tableBlock(section.gates));
  if (section.changes.some((it) => it.running.length > 1)) add(settlingCard(section));
  return made;
}

function tableBlock({ title, note, table, open }) {
  const content = [note ? el('p', { class: 'note' }, named(note)) : null, tableOf(table, title)];
  if (open) return block(title, ...content.filter(Boolean));
  return el('details', { class: 'card' }, el('summary', {}, el('h3', { text: title })), ...content.filter(Boolean));
}

function sectionOf(section, id) {
  const tiles = section.tiles.map((tile) => el('div', { class: 'tile' }, el('dt', { text: tile.label }), el('dd', {}, el('strong', { text: tile.value }), el('span', {}, named(tile.note)))));
  return el('section', { class: 'report', id, 'aria-labelledby': `${id}-title`, tabindex: '-1' },
    el('h2', { id: `${id}-title` }, named(section.title)),
    verdictBox(section.verdict, 'h3'),
    list(section.verdict.heed, 'heed'),
    tiles.length ? el('dl', { class: 'tiles' }, ...tiles) : null,
    el('p', { class: 'sources' }, ...section.sources.flatMap((it, i) => [i ? ', ' : '', el('code', {}, named(it))]),
      ...(section.baseline ? [' against ', el('code', {}, named(section.baseline)), section.base && section.base.runs > 1 ? ` (${section.base.runs} runs)` : ''] : [])),
    list(section.about, 'about'),
    ...chartsOf(section, id),
    ...section.tables.map(tableBlock));
}

function differenceOf(difference, id) {
  return el('section', { class: 'report', id, 'aria-labelledby': `${id}-title`, tabindex: '-1' },
    el('h2', { id: `${id}-title` }, named(difference.title)),
    verdictBox(difference.verdict, 'h3'),
    list(difference.verdict.heed, 'heed'), list(difference.judged, 'heed'), list(difference.about, 'about'),
    difference.bars.some((it) => it.unit === 'ns') ? differenceCard(difference).figure : null,
    difference.table ? block('Differences', tableOf(difference.table, 'Differences')) : null);
}

/** All sections with their verdicts, where there are several. */
function indexOf(parts) {
  const line = ({ of, id }) => el('li', {}, el('a', { href: `#${id}` },
    el('span', { class: `badge tone-${of.verdict.tone}` }, el('span', { 'aria-hidden': 'true', text: `${TONE_SYMBOLS[of.verdict.tone]} ` }), of.verdict.word), named(of.title)),
    el('p', {}, named(of.verdict.sentence)));
  return el('nav', { class: 'index', 'aria-label': 'Reports' }, el('ol', {}, ...parts.map(line)));
}

/** Light, dark, or as the system has it. The choice lasts as long as the page: a file has nowhere to keep it. */
function themeButton() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const button = el('button', { type: 'button', class: 'theme' });
  const label = () => { button.textContent = isDark() ? '☀ Light' : '☾ Dark'; };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    label();
    cards.forEach(draw);
  });
  dark.addEventListener('change', () => { label(); cards.forEach(draw); });
  label();
  return button;
}

/** Draws each chart when it nears the window, and all of them before the page is printed. */
function whenSeen() {
  const by = new Map(cards.map((it) => [it.chart, it]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((it) => it.isIntersecting)) {
      seen.unobserve(entry.target);
      start(by.get(entry.target));
    }
  }, { rootMargin: '400px' });
  by.forEach((_, chart) => seen.observe(chart));
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    cards.forEach(draw);
  });
  addEventListener('beforeprint', () => cards.forEach(start));
}

function build() {
  const parts = [
    ...data.sections.map((of, i) => ({ of, id: `report-${i + 1}`, make: sectionOf })),
    ...data.differences.map((of, i) => ({ of, id: `difference-${i + 1}`, make: differenceOf })),
    ...data.histories.map((of, i) => ({ of, id: `history-${i + 1}`, make: historyOf })),
  ];
  const word = (data.verdict ?? parts[0]?.of.verdict)?.word;
  document.title = `${word ? `${word}: ` : ''}${data.title} · framecost`;
  const several = parts.length > 1;
  document.body.append(
    el('a', { class: 'skip', href: '#main', text: 'To the report' }),
    el('header', { class: 'top' }, el('h1', {}, 'framecost ', el('span', {}, named(data.title))), themeButton()),
    el('main', { id: 'main', tabindex: '-1' },
      data.verdict ? verdictBox(data.verdict, 'h2') : null,
      data.verdict ? list(data.verdict.heed, 'heed') : null,
      several ? indexOf(parts) : null,
      ...parts.map(({ of, id, make }) => make(of, id))),
    el('footer', {}, el('p', { text: 'Made by framecost. This file needs no network. Charts by Apache ECharts.' })), live);
  whenSeen();
}

build();
