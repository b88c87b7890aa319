// Parts that the page is built from: elements, numbers, tables, colours. Every text reaches the page by textContent, so that
// no name in a capture is ever read as markup.
'use strict';

/** An element. `attributes` go through setAttribute, `text` through textContent; children follow. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') made.textContent = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Something from a capture: kept apart from the writing direction of what stands around it. */
const named = (text) => el('bdi', { text });

// ---- numbers ----

const SCALES = {
  ns: [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']],
  bytes: [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']],
  count: [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']],
  ratio: [[1, '']],
};

/** The largest scale that leaves a value of at least 1. */
function scaleFor(value, unit) {
  const scales = SCALES[unit];
  return scales.find(([size]) => Math.abs(value) >= size * 0.99995) ?? scales[scales.length - 1];
}

/** Four digits, as the tables have them. */
function digits(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(3);
  const behind = size >= 1000 || Number.isInteger(value) ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toFixed(behind);
}

/** A value in its unit, or why there is none. */
function show(value, unit) {
  if (value === null || value === undefined) return 'missing';
  const [size, name] = scaleFor(value, unit);
  return name ? `${digits(value / size)} ${name}` : digits(value / size);
}

/** A part as a percentage with its sign. */
function percent(part) {
  const value = part * 100;
  const size = Math.abs(value);
  const text = value === 0 ? '0' : size < 0.995 ? value.toFixed(2) : size < 999.95 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
  return `${value > 0 ? '+' : ''}${text} %`;
}

/** A column's values in their unit; null where nothing was measured. */
const valuesOf = (column) => column.v.map((steps) => (steps === null ? null : steps * column.step));

/** The numbers of the frames shown. */
const framesOf = (frames) => frames.list ?? Array.from({ length: frames.n }, (_, i) => frames.first + i);

/** For each place whether it lies in a gap: the reason, or undefined. */
function reasonsOf(gaps, reasons, length) {
  const found = new Array(length);
  for (const [first, last, reason] of gaps) found.fill(reasons[reason], first, last + 1);
  return found;
}

// ---- tables ----

const SYMBOLS = { pass: '✓', improved: '▲', warn: '!', fail: '✕', undecided: '?', missing: '∅', refused: '⊘', skipped: '–', shown: '·' };
const TONE_SYMBOLS = { good: '✓', bad: '✕', unsure: '?', none: '–' };

function cell(text, align) {
  if (align === 'verdict') {
    return el('td', { class: `verdict-cell is-${text}` }, el('span', { 'aria-hidden': 'true', text: `${SYMBOLS[text] ?? ''} ` }), text);
  }
  return el('td', { class: `is-${align}${text.length > 48 ? ' is-long' : ''}` }, align === 'number' ? text : named(text));
}

/** A table of texts that may scroll sideways inside its own frame, without columns that are empty. */
function tableOf(grid, label) {
  const used = grid.columns.map((_, i) => i).filter((i) => grid.rows.some((row) => row[i] !== ''));
  const head = el('tr', {}, ...used.map((i) => el('th', { scope: 'col', class: `is-${grid.columns[i][1]}`, text: grid.columns[i][0] })));
  const rows = grid.rows.map((row) => el('tr', {}, ...used.map((i) => cell(row[i], grid.columns[i][1]))));
  const table = el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows));
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
}

const PAGE_ROWS = 200;

/** A chart's data as a table, made when it is opened, in pages of 200 rows. `rows` gives `columns`, `count` and `row(i)`. */
function dataTable(label, rows) {
  const body = el('div');
  const details = el('details', { class: 'data' }, el('summary', { text: `Data of this chart as a table` }), body);
  let first = 0;
  const draw = () => {
    const { columns, count, row } = rows();
    first = Math.max(0, Math.min(first, Math.floor((count - 1) / PAGE_ROWS) * PAGE_ROWS));
    const last = Math.min(first + PAGE_ROWS, count);
    const grid = { columns: columns.map((title, i) => [title, i ? 'number' : 'name']), rows: [] };
    for (let i = first; i < last; i += 1) grid.rows.push(row(i));
    const turn = (text, by) => {
      const button = el('button', { type: 'button', text });
      button.disabled = by < 0 ? first === 0 : last >= count;
      button.addEventListener('click', () => { first += by; draw(); });
      return button;
    };
    const pages = count > PAGE_ROWS
      ? el('p', { class: 'pages' }, turn('previous', -PAGE_ROWS), ` rows ${first + 1} to ${last} of ${count} `, turn('next', PAGE_ROWS))
      : null;
    body.replaceChildren(...[pages, tableOf(grid, label)].filter(Boolean));
  };
  details.addEventListener('toggle', () => { if (details.open) draw(); });
  details.redraw = () => { if (details.open) draw(); };
  return details;
}

// ---- colours ----

// Okabe and Ito, "Color Universal Design" (2008): told apart by readers of every kind of colour vision. The order puts those
// first that stand out from white and from black alike; after seven, the same again under a pattern.
const PALETTE = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#F0E442'];
const VERDICT_COLOURS = { fail: '#D55E00', warn: '#E69F00', pass: '#009E73', improved: '#0072B2', undecided: '#CC79A7' };
const VERDICT_SHAPES = { fail: 'diamond', warn: 'rect', pass: 'circle', improved: 'triangle', undecided: 'pin' };
const STRIPES = [
  null,
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: Math.PI / 4 },
  { symbol: 'circle', dashArrayX: [[6, 6], [0, 6, 6, 0]], dashArrayY: [6, 0], symbolSize: 0.6 },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [1, 5] },
];

/** How a pass of that rank looks, from the largest share to the least. */
function lookOf(rank) {
  const round = Math.floor(rank / PALETTE.length) % STRIPES.length;
  return { colour: PALETTE[rank % PALETTE.length], decal: STRIPES[round] && { ...STRIPES[round], color: 'rgba(0,0,0,0.45)' }, pattern: round };
}

/** The page's colours as the style sheet has them now. */
function theme() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: of('ink'), muted: of('muted'), line: of('line'), surface: of('surface'), accent: of('accent'),
    baseline: of('baseline'), gap: of('gap'), font: of('font'),
  };
}

// ---- speaking ----

const live = el('p', { class: 'only-read', 'aria-live': 'polite' });

/** Says a text to those who do not see the charts. */
const say = (text) => { live.textContent = text; };
