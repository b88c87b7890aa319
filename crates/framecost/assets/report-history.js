// The charts of a history: what a figure did from revision to revision.
'use strict';

/** A series: its points in the order of time, its levels, steps and known breaks. */
function historyCard(series) {
  const { points: at, unit } = series;
  const labels = at.map((it) => it.label);
  const describe = (i) => `${labels[i]}, ${at[i].began}: ${at[i].value === null ? `missing: ${at[i].missing}` : show(at[i].value, unit)}${series.steps.filter(([place]) => place === i).map(([, text]) => `, a step of ${text}`).join('')}`;
  const option = (colours) => {
    const [size, suffix] = scaleFor(largest(at.map((it) => it.value)), unit);
    const mark = (place, text, colour, type) => ({ xAxis: place - 0.5, label: { show: true, formatter: () => text, color: colour, fontSize: 11, position: 'insideEndTop' }, lineStyle: { color: colour, type, width: 1.5 } });
    const lines = [
      ...series.steps.map(([place, text]) => mark(place, text, VERDICT_COLOURS.fail, 'solid')),
      ...series.breaks.map(([place]) => mark(place, 'environment', colours.muted, [3, 3])),
    ];
    const gaps = at.flatMap((it, i) => (it.value === null ? [[{ xAxis: i - 0.5 }, { xAxis: i + 0.5 }]] : []));
    const level = series.levels.flatMap(({ first, last, median }) => [[first, median / size], [last, median / size], [last, null]]);
    return {
      ...zooms(colours), grid: { left: 62, right: 18, top: 40, bottom: 70 },
      xAxis: below(colours, 'revision', { min: -0.5, max: at.length - 0.5, minInterval: 1, axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true, showMinLabel: false, showMaxLabel: false, formatter: (value) => labels[value] ?? '' } }),
      yAxis: [axis(colours, suffix, { scale: true, nameTextStyle: { align: 'left', padding: [0, 0, 0, -50], color: colours.muted, fontSize: 12 } }), { show: false, min: 0, max: 1 }],
      tooltip: { ...frame(colours).tooltip, formatter: (given) => {
        const i = indexIn(given);
        if (i === null) return '';
        const { label, began, runs, value, spread, missing } = at[i];
        const rows = [[colours.accent, runs > 1 ? `median of ${runs} runs` : 'run', value === null ? 'missing' : show(value, unit)]];
        if (spread) rows.push([null, 'least to most', `${show(spread[0], unit)} to ${show(spread[1], unit)}`]);
        const notes = [missing && `missing: ${missing}`, ...series.steps.filter(([place]) => place === i).map(([, text]) => `a step of ${text}`), ...series.breaks.filter(([place]) => place === i).map(([, text]) => text)];
        return tip(`${label}, ${began}`, rows, notes.filter(Boolean).join('; ') || null);
      } },
      series: [
        carrier(at.map((_, i) => i), gaps, colours),
        { name: 'spread', type: 'custom', silent: true, renderItem: whiskers(colours, 'y'), encode: { x: 0, y: [1, 2] }, data: at.flatMap((it, i) => (it.spread ? [[i, it.spread[0] / size, it.spread[1] / size]] : [])) },
        { name: 'levels', type: 'line', data: level, symbol: 'none', connectNulls: false, lineStyle: { color: colours.baseline, width: 2, type: [5, 3] }, itemStyle: { color: colours.baseline }, z: 2 },
        { name: 'points', type: 'line', data: at.map((it, i) => [i, it.value === null ? null : it.value / size]), symbol: 'circle', symbolSize: 6, connectNulls: false, lineStyle: { color: colours.accent, width: 1, opacity: 0.6 }, itemStyle: { color: colours.accent }, z: 4,
          markLine: { silent: true, symbol: 'none', data: lines } },
      ],
    };
  };
  let place = 0;
  const made = card({
    title: series.title, zoom: true, height: () => (narrow() ? 280 : 320), option, note: series.about.join('; '),
    items: [{ name: 'points', also: ['spread'], label: 'each revision', colour: 'var(--accent)', shape: 'line' }, { name: 'levels', label: 'level', colour: 'var(--baseline)', shape: 'dashed' }],
    label: () => `${series.title}: ${at.length} revisions, ${series.steps.length} steps`,
    read: (step) => {
      place = Math.max(0, Math.min(at.length - 1, place + step));
      start(made).dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: place });
      return describe(place);
    },
    rows: () => ({ columns: ['revision', 'began', 'value', 'runs', 'remarks'], count: at.length,
      row: (i) => {
        const remarks = [...series.steps, ...series.breaks].filter(([of]) => of === i).map(([, text]) => text);
        return [labels[i], at[i].began, at[i].value === null ? `missing: ${at[i].missing}` : show(at[i].value, unit), String(at[i].runs), remarks.join('; ')];
      } }),
  });
  made.at = () => (100 * place) / Math.max(1, at.length - 1);
  return made;
}

function historyOf(past, id) {
  return el('section', { class: 'report', id, 'aria-labelledby': `${id}-title`, tabindex: '-1' },
    el('h2', { id: `${id}-title` }, named(past.title)),
    verdictBox(past.verdict, 'h3'),
    list(past.about, 'about'),
    ...past.series.flatMap((series) => [historyCard(series).figure, list(series.said, 'heed')]));
}
