// The charts that hold figures against each other: distributions, changes, budgets, and how a change settles over runs.
'use strict';

// ---- distributions ----

/** What part of the values lies at or below each value. */
function spreadCard(section) {
  let chosen = 0;
  const now = () => section.spreads[chosen];
  const steps = (of, size) => {
    const values = valuesOf(of.values).map((value) => value / size);
    if (of.quantiles) return values.map((value, i) => [value, (100 * i) / (values.length - 1)]);
    return [[values[0], 0], ...values.map((value, i) => [value, (100 * (i + 1)) / values.length])];
  };
  const marks = (of, size) => [['median', 50], ['p95', 95], ['p99', 99]].filter(([name]) => of[name] !== null).map(([name, at]) => [of[name] / size, at]);
  const option = (colours) => {
    const { unit, label, run, base } = now();
    const [size, suffix] = scaleFor(Math.max(largest(valuesOf(run.values)), base ? largest(valuesOf(base.values)) : 0), unit);
    const line = (key, of, colour, more) => [
      { name: key, type: 'line', step: of.quantiles ? false : 'end', data: steps(of, size), symbol: 'none', lineStyle: { color: colour, width: 2, ...more.line }, itemStyle: { color: colour }, z: more.z },
      { name: `${key}-marks`, type: 'scatter', data: marks(of, size), symbol: more.symbol, symbolSize: 9, itemStyle: { color: colours.surface, borderColor: colour, borderWidth: 2 }, z: more.z + 1 },
    ];
    const series = [];
    if (base) series.push(...line('base', base, colours.baseline, { line: { type: [5, 3] }, symbol: 'diamond', z: 3 }));
    series.push(...line('run', run, colours.accent, { line: {}, symbol: 'circle', z: 5 }));
    series[series.length - 2].markLine = {
      silent: true, symbol: 'none', lineStyle: { color: colours.muted, type: [2, 4], width: 1 }, label: { position: 'insideStartTop', color: colours.muted, fontSize: 11, formatter: (it) => it.name },
      data: [['median', 50, 'insideStartTop'], ['p95', 95, 'insideStartBottom'], ['p99', 99, 'insideStartTop']].map(([name, yAxis, position]) => ({ name, yAxis, label: { position } })),
    };
    return {
      ...zooms(colours, false),
      xAxis: below(colours, `${label}${suffix ? `, ${suffix}` : ''}`, { scale: true }),
      yAxis: axis(colours, 'values at or below, %', { min: 0, max: 100, nameTextStyle: { align: 'left', padding: [0, 0, 0, -50], color: colours.muted, fontSize: 12 } }),
      tooltip: { ...frame(colours).tooltip, formatter: (given) => {
        const at = given[0]?.axisValue;
        if (at === undefined) return '';
        const rows = [['run', run, colours.accent], ['baseline', base, colours.baseline]].filter(([, of]) => of)
          .map(([name, of, colour]) => [colour, name, `${partBelow(of, at * size).toFixed(1)} %`]);
        return tip(`at or below ${show(at * size, unit)}`, rows, null);
      } },
      series,
    };
  };
  const items = [{ name: 'run', also: ['run-marks'], label: 'run', colour: 'var(--accent)', shape: 'line' }];
  if (section.spreads.some((it) => it.base)) items.push({ name: 'base', also: ['base-marks'], label: 'baseline', colour: 'var(--baseline)', shape: 'dashed' });
  const describe = () => {
    const { label, unit, run, base } = now();
    const of = (it) => `median ${show(it.median, unit)}${it.p95 === null ? '' : `, p95 ${show(it.p95, unit)}`}${it.p99 === null ? '' : `, p99 ${show(it.p99, unit)}`} of ${it.of} values`;
    return `Distribution of ${label}: run ${of(run)}${base ? `; baseline ${of(base)}` : ''}`;
  };
  const said = el('p', { class: 'said' });
  const made = card({
    title: 'Distribution', zoom: true, items, height: 320, option, label: describe,
    note: section.runs.length > 1 ? `All ${section.runs.length} runs together.` : null,
    controls: [choiceOf('Figure', section.spreads.map((it) => it.label), 0, (i) => { chosen = i; said.textContent = `${describe()}.`; draw(made); })],
    rows: () => {
      const { unit, run, base } = now();
      const names = [['median', 'median'], ['p95', 'p95'], ['p99', 'p99'], ['values', 'of']];
      return { columns: ['', 'run', ...(base ? ['baseline'] : [])], count: names.length,
        row: (i) => { const text = (of) => (names[i][1] === 'of' ? String(of.of) : of[names[i][1]] === null ? 'withheld' : show(of[names[i][1]], unit)); return [names[i][0], text(run), ...(base ? [text(base)] : [])]; } };
    },
  });
  said.textContent = `${describe()}.`;
  made.chart.after(said);
  return made;
}

/** The part of a distribution's values that lie at or below a value, in percent. */
function partBelow(of, value) {
  const values = valuesOf(of.values);
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1; else high = middle;
  }
  if (!of.quantiles) return (100 * low) / values.length;
  if (low === 0) return 0;
  if (low === values.length) return 100;
  const [before, after] = [values[low - 1], values[low]];
  return (100 * (low - 1 + (value - before) / (after - before))) / (values.length - 1);
}

// ---- changes against the baseline ----

/** What an interval is called: the rule of runs knows its own, others have that of the new runs' mean. */
const intervalName = (it) => (it.known ? '98 % interval' : '95 % interval over the new runs');
const intervalText = (interval) => (interval ? `${percent(interval[0])} to ${percent(interval[1])}` : null);

const chance = (p) => (p < 0.0001 ? 'below 0.0001' : p.toFixed(4));

/** What else the rule of runs says of a change. */
function remarks(known) {
  if (!known) return null;
  const said = known.grew.map((it) => `frames ${it.first} to ${it.last}: ${it.change}`);
  if (known.drifts) said.push('the difference drifts along the run');
  if (known.more_runs) {
    const [least, most] = [known.more_runs, known.most_more_runs];
    const number = !most ? `${least} or far` : most > least ? `${least} to ${most}` : `about ${least}`;
    said.push(`${number} more ${(most ?? 2) === 1 ? 'run' : 'runs'} would decide`);
  }
  return said.join('; ') || null;
}

/** A whisker along x or y with a bar at each end; `at` reads where it lies from the data. */
function whiskers(colours, along) {
  return (params, api) => {
    const at = (value) => (along === 'x' ? api.coord([value, api.value(0)]) : api.coord([api.value(0), value]));
    const [from, to] = [at(api.value(1)), at(api.value(2))];
    const end = ([x, y]) => (along === 'x' ? { x1: x, y1: y - 5, x2: x, y2: y + 5 } : { x1: x - 5, y1: y, x2: x + 5, y2: y });
    const style = { stroke: colours.ink, lineWidth: 1.5 };
    return { type: 'group', children: [{ type: 'line', shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }, style }, { type: 'line', shape: end(from), style }, { type: 'line', shape: end(to), style }] };
  };
}

/** Each judged figure's change, with its interval and its limit. */
function changesCard(section) {
  const { changes } = section;
  const kinds = [...new Set(changes.map((it) => it.verdict))];
  const colourOf = (kind, colours) => VERDICT_COLOURS[kind] ?? colours.muted;
  const several = changes.some((it) => it.interval);
  const byRuns = changes.some((it) => it.known);
  const option = (colours) => {
    const left = narrow() ? 118 : 270;
    const reach = changes.flatMap((it) => [it.change, ...(it.interval ?? [])]).map((it) => it * 100);
    const limits = changes.map((it) => it.fail * 100);
    const [least, most] = [Math.min(0, ...reach), Math.max(0, ...reach)];
    // Limits far outside of what changed would squeeze the changes; one on the worse side is always in view.
    const span = Math.max(most - least, 12);
    const tick = (params, api) => {
      const [x, y] = api.coord([api.value(1), api.value(0)]);
      return { type: 'line', shape: { x1: x, y1: y - 9, x2: x, y2: y + 9 }, style: { stroke: colours.muted, lineWidth: 2, lineDash: [3, 2] } };
    };
    const series = [
      { name: 'limits', type: 'custom', silent: true, clip: true, renderItem: tick, encode: { x: 1, y: 0 }, data: limits.map((limit, i) => [i, limit]),
        markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color: colours.ink, type: 'solid', width: 1 }, data: [{ xAxis: 0 }] } },
      { name: 'intervals', type: 'custom', silent: true, clip: true, renderItem: whiskers(colours, 'x'), encode: { x: [1, 2], y: 0 },
        data: changes.flatMap((it, i) => (it.interval ? [[i, it.interval[0] * 100, it.interval[1] * 100]] : [])) },
      ...kinds.map((kind) => ({
        name: kind, type: 'scatter', symbol: VERDICT_SHAPES[kind] ?? 'emptyCircle', symbolSize: 13, z: 5, itemStyle: { color: colourOf(kind, colours), borderColor: colours.surface, borderWidth: 1 },
        data: changes.flatMap((it, i) => (it.verdict === kind ? [{ value: [it.change * 100, i], it }] : [])),
        label: { show: true, position: 'right', distance: 8, color: colours.ink, fontSize: 12, formatter: ({ data }) => percent(data.it.change) }, labelLayout: { hideOverlap: false },
      })),
    ];
    return {
      ...zooms(colours, false), grid: { left, right: 74, top: 10, bottom: 44 },
      xAxis: below(colours, 'change against the baseline, %', { min: least - span * 0.06, max: Math.max(most, Math.min(Math.max(...limits), most + span)) + span * 0.06, splitLine: { show: true, lineStyle: { color: colours.line } }, axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true, showMinLabel: false, showMaxLabel: false, formatter: (value) => digits(Number(value.toPrecision(3))) } }),
      yAxis: { type: 'category', inverse: true, data: changes.map((_, i) => i), axisTick: { show: false }, axisLine: { show: false },
        axisLabel: { color: colours.ink, fontSize: 12, width: left - 14, overflow: 'truncate', interval: 0, formatter: (value) => changes[Number(value)][narrow() ? 'short' : 'label'] } },
      tooltip: { ...frame(colours).tooltip, trigger: 'item', formatter: ({ data }) => {
        if (!data?.it) return '';
        const { it } = data;
        const rows = [[null, 'baseline', it.before], [null, 'run', it.now], [null, 'change', percent(it.change)]];
        if (it.interval) rows.push([null, intervalName(it), intervalText(it.interval)]);
        if (it.known?.spread) rows.push([null, 'from run to run', it.known.spread]);
        if (it.known) rows.push([null, 'would show a loss of', it.known.smallest], [null, 'by chance alone, p', chance(it.known.p)]);
        rows.push([null, 'limit', it.limit], [colourOf(it.verdict, colours), 'verdict', it.verdict]);
        return tip(it.label, rows, remarks(it.known));
      } },
      series,
    };
  };
  const items = kinds.map((kind) => ({ name: kind, label: kind, colour: VERDICT_COLOURS[kind] ?? 'var(--muted)', shape: `mark-${VERDICT_SHAPES[kind] ?? 'circle'}`, extra: String(changes.filter((it) => it.verdict === kind).length) }));
  return card({
    title: 'What changed', zoom: true, items, height: () => 66 + 27 * changes.length, option,
    note: `Run over baseline. Dashed ticks: the limit past which a figure fails, if its change is past the floor too.${several ? (byRuns ? ' Whiskers: the interval by which it was judged; 1 in 100 true changes lies beyond either end.' : ' Whiskers: the 95 % interval of the mean over the new runs; how far the baseline\'s runs spread is not in it.') : ' One run has no interval.'}`,
    label: () => `Changes of ${changes.length} figures against the baseline: ${kinds.map((kind) => `${changes.filter((it) => it.verdict === kind).length} ${kind}`).join(', ')}`,
    rows: () => ({ columns: ['figure', 'verdict', 'baseline', 'run', 'change', ...(several ? [byRuns ? '98 % interval' : '95 % interval'] : []), ...(byRuns ? ['would show', 'p', 'remarks'] : []), 'limit'], count: changes.length,
      row: (i) => {
        const it = changes[i];
        const known = byRuns ? [it.known?.smallest ?? 'none', it.known ? chance(it.known.p) : 'none', remarks(it.known) ?? ''] : [];
        return [it.label, it.verdict, it.before, it.now, percent(it.change), ...(several ? [intervalText(it.interval) ?? 'none'] : []), ...known, it.limit];
      } }),
  });
}

// ---- budgets ----

/** How much of each budget is used up. */
function budgetsCard(section) {
  const budgets = section.budgets.filter((it) => it.used !== null);
  const option = (colours) => {
    const left = narrow() ? 118 : 260;
    return {
      grid: { left, right: 64, top: 10, bottom: 44 },
      xAxis: below(colours, 'part of the limit, %', { min: 0, max: Math.max(110, ...budgets.map((it) => it.used * 105)), splitLine: { show: true, lineStyle: { color: colours.line } } }),
      yAxis: { type: 'category', inverse: true, data: budgets.map((_, i) => i), axisTick: { show: false }, axisLine: { show: false },
        axisLabel: { color: colours.ink, fontSize: 12, width: left - 14, overflow: 'truncate', interval: 0, formatter: (value) => budgets[Number(value)].label } },
      tooltip: { ...frame(colours).tooltip, trigger: 'item', formatter: ({ data }) => (data?.it ? tip(data.it.label, [[null, 'value', data.it.value], [null, 'limit', data.it.limit], [VERDICT_COLOURS[data.it.verdict], 'verdict', data.it.verdict]], null) : '') },
      series: [{
        name: 'used', type: 'bar', barWidth: 14, data: budgets.map((it) => ({ value: it.used * 100, it, itemStyle: { color: VERDICT_COLOURS[it.verdict] ?? colours.muted, borderRadius: 3, decal: it.verdict === 'fail' ? { ...STRIPES[1], color: 'rgba(0,0,0,0.4)' } : null } })),
        label: { show: true, position: 'right', color: colours.ink, formatter: ({ data }) => `${(data.it.used * 100).toFixed(1)} %` },
        markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color: colours.ink, type: 'solid', width: 1.5 }, data: [{ xAxis: 100 }] },
      }],
    };
  };
  return card({
    title: 'Budgets and ceilings', height: () => 66 + 30 * budgets.length, option, note: 'The line is the limit.',
    label: () => `Parts of ${budgets.length} limits that are used up: ${budgets.map((it) => `${it.label} ${(it.used * 100).toFixed(1)} %`).join(', ')}`,
  });
}

/** Every budget, those that bind nothing too. */
function budgetTable(section) {
  const columns = [['verdict', 'verdict'], ['budget', 'name'], ['value', 'number'], ['limit', 'number'], ['used', 'number'], ['why', 'text']];
  const rows = section.budgets.map((it) => [it.verdict, it.label, it.value, it.limit, it.used === null ? '–' : `${(it.used * 100).toFixed(1)} %`, it.why ?? '']);
  return tableOf({ columns, rows }, 'Budgets and ceilings');
}

// ---- how a change settles ----

/** The mean of the runs so far, with its interval. */
function settlingCard(section) {
  const changes = section.changes.filter((it) => it.running.length > 1);
  let chosen = 0;
  const option = (colours) => {
    const it = changes[chosen];
    // No change and the limit stay in view: where the interval lies between them is the question.
    const reach = [0, it.fail, ...it.each, ...it.running.flatMap(([, interval]) => interval ?? [])].map((part) => part * 100);
    const [least, most] = [Math.min(...reach), Math.max(...reach)];
    const room = (most - least) * 0.08;
    return {
      xAxis: below(colours, 'runs taken together', { min: 0, max: it.running.length + 1, interval: 1, axisLabel: { color: colours.muted, showMinLabel: false, showMaxLabel: false } }),
      yAxis: axis(colours, 'change against the baseline, %', { min: least - room, max: most + room, axisLabel: { color: colours.muted, fontSize: 12, showMinLabel: false, showMaxLabel: false }, nameTextStyle: { align: 'left', padding: [0, 0, 0, -50], color: colours.muted, fontSize: 12 } }),
      tooltip: { ...frame(colours).tooltip, trigger: 'item', formatter: ({ data }) => {
        const i = data?.at;
        if (i === undefined) return '';
        const [mean, interval] = it.running[i];
        return tip(`${i + 1} ${i ? 'runs' : 'run'}`, [[colours.accent, 'mean', percent(mean)], [null, '95 % interval', intervalText(interval) ?? 'none of one run'], [colours.baseline, `run ${i + 1} alone`, percent(it.each[i])]], null);
      } },
      series: [
        { name: 'intervals', type: 'custom', silent: true, renderItem: whiskers(colours, 'y'), encode: { x: 0, y: [1, 2] }, data: it.running.flatMap(([, interval], i) => (interval ? [[i + 1, interval[0] * 100, interval[1] * 100]] : [])) },
        { name: 'each', type: 'scatter', symbol: 'diamond', symbolSize: 9, itemStyle: { color: colours.baseline }, data: it.each.map((change, i) => ({ value: [i + 1, change * 100], at: i })) },
        { name: 'mean', type: 'line', symbol: 'circle', symbolSize: 9, z: 4, lineStyle: { color: colours.accent, width: 1.5 }, itemStyle: { color: colours.accent }, data: it.running.map(([mean], i) => ({ value: [i + 1, mean * 100], at: i })),
          markLine: { silent: true, symbol: 'none', label: { position: 'insideEndTop', color: colours.muted, fontSize: 11, formatter: ({ name }) => name }, lineStyle: { color: colours.muted, type: [4, 3] },
            data: [{ name: 'no change', yAxis: 0, lineStyle: { type: 'solid' } }, { name: 'warns', yAxis: it.warn * 100 }, { name: 'fails', yAxis: it.fail * 100 }] } },
      ],
    };
  };
  const items = [{ name: 'mean', also: ['intervals'], label: 'mean and its interval', colour: 'var(--accent)', shape: 'line' }, { name: 'each', label: 'each run alone', colour: 'var(--baseline)', shape: 'mark-diamond' }];
  const made = card({
    title: 'How the change settles', items, height: 300, option,
    note: 'The mean of the first runs, and its 95 % interval: Student\'s t over the new runs alone. The interval by which it was judged knows how far the baseline\'s runs spread, too.',
    controls: [choiceOf('Figure', changes.map((it) => it.label), 0, (i) => { chosen = i; draw(made); })],
    label: () => { const it = changes[chosen]; const last = it.running[it.running.length - 1]; return `${it.label} over ${it.running.length} runs: mean ${percent(last[0])}, interval ${intervalText(last[1]) ?? 'none'}`; },
    rows: () => ({ columns: ['runs', 'mean', '95 % interval', 'this run alone'], count: changes[chosen].running.length,
      row: (i) => { const [mean, interval] = changes[chosen].running[i]; return [String(i + 1), percent(mean), intervalText(interval) ?? 'none', percent(changes[chosen].each[i])]; } }),
  });
  return made;
}

// ---- what a switch adds ----

/** The median difference of each figure in time. */
function differenceCard(difference) {
  const bars = difference.bars.filter((it) => it.unit === 'ns');
  const option = (colours) => {
    const left = narrow() ? 118 : 270;
    const [size, suffix] = scaleFor(largest(bars.map((it) => it.value)), 'ns');
    return {
      grid: { left, right: 84, top: 10, bottom: 44 },
      xAxis: below(colours, `median difference, ${suffix}`, { splitLine: { show: true, lineStyle: { color: colours.line } } }),
      yAxis: { type: 'category', inverse: true, data: bars.map((_, i) => i), axisTick: { show: false }, axisLine: { show: false },
        axisLabel: { color: colours.ink, fontSize: 12, width: left - 14, overflow: 'truncate', interval: 0, formatter: (value) => bars[Number(value)].label } },
      tooltip: { ...frame(colours).tooltip, trigger: 'item', formatter: ({ data }) => (data?.it ? tip(data.it.label, [[colours.accent, 'median difference', data.it.shown]], null) : '') },
      series: [{ name: 'difference', type: 'bar', barWidth: 14, itemStyle: { color: colours.accent, borderRadius: 3 }, data: bars.map((it) => ({ value: it.value / size, it })),
        label: { show: true, position: 'right', color: colours.ink, formatter: ({ data }) => data.it.shown } }],
    };
  };
  return card({ title: 'What the switch adds', height: () => 66 + 28 * bars.length, option, label: () => `Median differences: ${bars.map((it) => `${it.label} ${it.shown}`).join(', ')}`, note: 'Paired frame by frame; may lie below zero.' });
}
