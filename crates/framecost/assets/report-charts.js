// What all charts have in common: a card with a legend, keys, zooming and the data as a table. All drawing is Apache ECharts';
// these files turn the page's data into its options. A missing value is null in every series, which ECharts leaves open.
'use strict';

const cards = [];
const COARSE = matchMedia('(pointer: coarse)').matches;
const narrow = () => innerWidth < 640;

/**
 * A chart in its card. `option(colours)` gives the option; `items` the legend, by series name; `controls` elements above the
 * chart; `rows` its data as a table; `read(step)` moves the reading by keys and returns what it says; `zoom` whether it zooms.
 */
function card({ title, note, label, height = 320, option, items = [], controls = [], rows, read, enter, zoom = false, group }) {
  const chart = el('div', { class: 'chart', tabindex: '0', role: 'group', 'aria-roledescription': 'chart', 'aria-label': label() });
  chart.style.height = `${typeof height === 'function' ? height() : height}px`;
  const table = rows && dataTable(title, rows);
  const made = { chart, option, hidden: {}, instance: null, height, label, table, group, zoom };
  const legend = items.length ? el('div', { class: 'legend', role: 'group', 'aria-label': `Series of ${title}` }, ...items.map((item) => legendButton(item, made))) : null;
  const bar = controls.length ? el('div', { class: 'controls' }, ...controls) : null;
  const keys = zoom
    ? `${COARSE ? 'Pinch or use the slider' : 'Drag, or Ctrl and wheel,'} to zoom. Keys: ← → read, + − zoom, 0 whole${enter ? ', Enter shows the frame below' : ''}.`
    : null;
  chart.addEventListener('keydown', (event) => { if (onKey(event, made, read, enter)) event.preventDefault(); });
  cards.push(made);
  made.figure = el('figure', { class: 'card' },
    el('figcaption', {}, el('h3', { text: title }), zoom ? resetButton(made) : null, note ? el('p', { class: 'note', text: note }) : null),
    bar, legend, chart, keys ? el('p', { class: 'hint', text: keys }) : null, table ?? null);
  return made;
}

function legendButton(item, made) {
  const swatch = el('span', { class: `swatch ${item.shape ?? 'area'} pattern-${item.pattern ?? 0}`, 'aria-hidden': 'true' });
  swatch.style.setProperty('--swatch', item.colour);
  const button = el('button', { type: 'button', 'aria-pressed': 'true', 'data-series': item.name }, swatch, named(item.label),
    item.extra ? el('small', { text: item.extra }) : null);
  button.addEventListener('click', () => {
    made.hidden[item.name] = !made.hidden[item.name];
    button.setAttribute('aria-pressed', String(!made.hidden[item.name]));
    for (const name of [item.name, ...(item.also ?? [])]) {
      start(made).dispatchAction({ type: made.hidden[item.name] ? 'legendUnSelect' : 'legendSelect', name });
      made.hidden[name] = made.hidden[item.name];
    }
  });
  return button;
}

function resetButton(made) {
  const button = el('button', { type: 'button', class: 'reset', text: 'Whole range' });
  button.addEventListener('click', () => zoomTo(made, 0, 100));
  return button;
}

/** The part of the axis that is shown, in percent. */
function zoomed(made) {
  const zoom = start(made).getOption().dataZoom?.[0];
  return zoom ? [zoom.start, zoom.end] : [0, 100];
}

function zoomTo(made, from, to) {
  start(made).dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, start: Math.max(0, from), end: Math.min(100, to) });
}

function onKey(event, made, read, enter) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -25, PageDown: 25, Home: -Infinity, End: Infinity }[event.key];
  if (step !== undefined && read) {
    say(read(event.shiftKey ? step * 10 : step));
    return true;
  }
  if (event.key === 'Enter' && enter) { enter(); return true; }
  if (!made.zoom) return false;
  const [from, to] = zoomed(made);
  const middle = made.at?.() ?? (from + to) / 2;
  if (event.key === '+' || event.key === '=') { zoomTo(made, middle - (to - from) / 4, middle + (to - from) / 4); return true; }
  if (event.key === '-') { zoomTo(made, from - (to - from) / 2, to + (to - from) / 2); return true; }
  if (event.key === '0' || event.key === 'Escape') { zoomTo(made, 0, 100); return true; }
  return false;
}

/** The card's instance, made when it is first needed. */
function start(made) {
  if (!made.instance) {
    made.instance = echarts.init(made.chart, null, { renderer: 'canvas' });
    if (made.group) { made.instance.group = made.group; echarts.connect(made.group); }
    draw(made);
    made.started?.(made.instance);
  }
  return made.instance;
}

/** Draws the card anew, as after a change of theme, size or choice. */
function draw(made) {
  if (!made.instance) return;
  if (typeof made.height === 'function') made.chart.style.height = `${made.height()}px`;
  const kept = made.zoom && made.drawn ? zoomed(made) : [0, 100];
  const colours = theme();
  const option = made.option(colours);
  made.instance.resize();
  made.instance.setOption({ ...frame(colours), ...option, legend: { show: false, data: option.series.map((series) => series.name), selected: chosen(made) } }, { notMerge: true });
  made.drawn = true;
  if (made.zoom) {
    if (kept[0] !== 0 || kept[1] !== 100) zoomTo(made, ...kept);
    if (!COARSE) made.instance.dispatchAction({ type: 'takeGlobalCursor', key: 'dataZoomSelect', dataZoomSelectActive: true });
  }
  made.chart.setAttribute('aria-label', made.label());
  made.table?.redraw();
}

const chosen = (made) => Object.fromEntries(Object.entries(made.hidden).map(([name, hidden]) => [name, !hidden]));

/** What all charts have in common. */
function frame(colours) {
  return {
    animation: false,
    textStyle: { fontFamily: colours.font, color: colours.muted },
    grid: { left: 62, right: 18, top: 40, bottom: 44 },
    tooltip: {
      trigger: 'axis', confine: true, transitionDuration: 0, backgroundColor: colours.surface, borderColor: colours.line,
      textStyle: { color: colours.ink, fontSize: 13, fontFamily: colours.font }, padding: [8, 12],
      axisPointer: { type: 'line', animation: false, lineStyle: { color: colours.muted, type: 'solid' } },
    },
  };
}

function axis(colours, name, more = {}) {
  return {
    type: 'value', name, nameTextStyle: { color: colours.muted, fontSize: 12 }, nameGap: 16,
    axisLine: { show: true, lineStyle: { color: colours.line } }, axisTick: { show: false },
    axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true }, splitLine: { lineStyle: { color: colours.line } }, ...more,
  };
}

const below = (colours, name, more = {}) => axis(colours, name, { nameLocation: 'middle', nameGap: 26, splitLine: { show: false }, ...more });

/** Zooming of the axis below: by wheel, by drag, by a slider. */
function zooms(colours, slider = true) {
  const shared = { xAxisIndex: 0, filterMode: 'none' };
  const list = [{ type: 'inside', ...shared, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false, moveOnMouseWheel: false, preventDefaultMouseMove: false }];
  if (slider) {
    list.push({ type: 'slider', ...shared, height: 18, bottom: 8, borderColor: colours.line, fillerColor: `${colours.accent}22`, showDataShadow: false,
      handleStyle: { color: colours.surface, borderColor: colours.accent }, moveHandleSize: 0, showDetail: false, brushSelect: false, emphasis: { handleStyle: { borderColor: colours.ink } } });
  }
  // The box that a drag draws belongs to ECharts' toolbox, of which nothing shows.
  const toolbox = { itemSize: 0, itemGap: 0, showTitle: false, right: 0, top: -40, feature: { dataZoom: { yAxisIndex: 'none', filterMode: 'none', brushStyle: { color: `${colours.accent}22`, borderColor: colours.accent } } } };
  return { dataZoom: list, toolbox };
}

/** A tooltip's content: a heading and rows of a mark, a name and a value. */
function tip(title, rows, foot) {
  return el('div', { class: 'tip' }, el('strong', { text: title }),
    el('table', {}, ...rows.map(([colour, name, value]) => {
      const mark = el('span', { class: 'mark' });
      mark.style.background = colour ?? 'transparent';
      return el('tr', {}, el('td', {}, mark), el('td', {}, named(name)), el('td', { class: 'is-number', text: value }));
    })), foot ? el('p', { text: foot }) : null);
}

/** A series that draws nothing and has a point at every frame, so that a tooltip is there in gaps too. */
function carrier(frames, areas, colours) {
  return {
    name: 'carrier', type: 'line', yAxisIndex: 1, data: frames.map((frame) => [frame, 0]), symbol: 'none', silent: true, lineStyle: { opacity: 0 },
    markArea: { silent: true, itemStyle: { color: colours.gap, decal: { ...STRIPES[1], color: colours.line } }, data: areas },
  };
}

/** Stretches of the frame axis that hold no value. */
const gapAreas = (frames, gaps) => gaps.map(([first, last]) => [{ xAxis: frames[first] - 0.5 }, { xAxis: frames[last] + 0.5 }]);

/** The usual distance between frames; a larger one is a gap. */
function strideOf(frames) {
  const apart = frames.slice(1).map((frame, i) => frame - frames[i]).sort((a, b) => a - b);
  return apart.length ? apart[Math.floor(apart.length / 2)] : 1;
}

/** Points of a line by frame, open where a value or a frame is missing; a value between two gaps gets a dot. */
function points(frames, values, size, everyFrame) {
  const stride = everyFrame ? strideOf(frames) : Infinity;
  const made = [];
  values.forEach((value, i) => {
    if (i && frames[i] - frames[i - 1] > stride) made.push([frames[i - 1] + 1, null]);
    made.push([frames[i], value === null ? null : value / size]);
  });
  const open = (point) => !point || point[1] === null;
  return made.map((point, i) => (!open(point) && open(made[i - 1]) && open(made[i + 1]) ? { value: point, symbol: 'circle', symbolSize: 4 } : point));
}

const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
const frameRange = (frames, colours) => ({
  min: frames[0] - 0.5, max: frames[frames.length - 1] + 0.5, minInterval: 1,
  axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true, showMinLabel: false, showMaxLabel: false, formatter: String },
});

/** Reading by keys along frames: shows ECharts' tooltip at the next frame and says it. */
function reader(state, made, describe) {
  made().at = () => { const { frames } = state.now(); return (100 * state.at) / Math.max(1, frames.length - 1); };
  return (step) => {
    const { frames } = state.now();
    state.at = Math.max(0, Math.min(frames.length - 1, state.at + step));
    start(made()).dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: state.at });
    return describe(state.at);
  };
}
