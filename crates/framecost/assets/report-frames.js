// The charts along a run's frames: the frame's figures, where the time went, and the timeline of one frame.
'use strict';

// ---- the frame-time series ----

/** A figure of each frame, of the run and of the baseline. */
function framesCard(section, state, id) {
  const choice = () => section.figures[state.figure];
  const lines = () => {
    const { run, frames } = state.now();
    const { name, unit, about } = choice();
    const line = run.figures.find((it) => it.name === name);
    const base = section.base?.figures.find((it) => it.name === name);
    const values = line ? valuesOf(line.values) : frames.map(() => null);
    const of = (column) => (column ? valuesOf(column) : null);
    return { run, frames, name, unit, about, values, gaps: line?.gaps ?? [], why: line ? reasonsOf(line.gaps, run.reasons, frames.length) : [],
      middle: of(base?.middle), low: of(base?.low), high: of(base?.high) };
  };
  const describe = (i) => {
    const { frames, name, unit, values, why, middle } = lines();
    const now = values[i] === null ? `missing: ${why[i] ?? 'not available'}` : show(values[i], unit);
    const before = middle ? `, baseline ${show(middle[i], unit)}` : '';
    return `frame ${frames[i]}: ${name} ${now}${before}`;
  };
  /** Stretches of frames in which the chosen figure got worse, as the rule of runs found them. */
  const grew = () => section.changes.filter((it) => it.known && it.known.metric === choice().name).flatMap((it) => it.known.grew);
  const grewAreas = (colours) => grew().map((it) => [{ xAxis: it.first, itemStyle: { color: VERDICT_COLOURS.fail, opacity: 0.14 }, label: { show: true, color: VERDICT_COLOURS.fail, fontSize: 11, position: 'insideTop', formatter: () => it.change } }, { xAxis: it.last }]);
  /** What is drawn: the values, or what each is over the baseline's. */
  const drawn = () => {
    const of = lines();
    const [size, suffix] = scaleFor(largest([...of.values, ...(of.middle ?? [])]), of.unit);
    if (!state.relative) return { ...of, size, title: `${of.name}${suffix ? `, ${suffix}` : ''}`, min: 0, show: of };
    const over = (values) => values?.map((value, i) => (value === null || !(of.middle[i] > 0) ? null : (value / of.middle[i] - 1) * 100)) ?? null;
    return { ...of, size: 1, title: `${of.name}, change in %`, min: undefined, show: { values: over(of.values), middle: over(of.middle), low: over(of.low), high: over(of.high) } };
  };
  const option = (colours) => {
    const { run, frames, unit, values, gaps, why, middle, low, high, size, title, min, show: seen } = drawn();
    const line = (key, of, more) => ({ name: key, type: 'line', data: points(frames, of, size, !run.rule), symbol: 'none', showAllSymbol: true, connectNulls: false, z: 3, ...more });
    const series = [carrier(frames, gapAreas(frames, gaps), colours)];
    if (low) {
      // The band is the least value, and on top of it what lies between the least and the most.
      const between = seen.high.map((most, i) => (most === null ? null : most - seen.low[i]));
      const band = { stack: 'band', stackStrategy: 'all', lineStyle: { opacity: 0 }, z: 1 };
      series.push(line('base-low', seen.low, band), line('base-band', between, { ...band, areaStyle: { color: colours.baseline, opacity: 0.22 } }));
    }
    if (middle) series.push(line('base', seen.middle, { lineStyle: { color: colours.baseline, width: 1.5, type: [5, 3] }, itemStyle: { color: colours.baseline } }));
    series.push(line('run', seen.values, { lineStyle: { color: colours.accent, width: 1.5 }, itemStyle: { color: colours.accent }, z: 4, markArea: { silent: true, data: grewAreas(colours) } }));
    return {
      ...zooms(colours), grid: { left: 62, right: 18, top: 40, bottom: 70 },
      xAxis: below(colours, 'frame', frameRange(frames, colours)),
      yAxis: [axis(colours, title, { min, scale: min === undefined, nameTextStyle: { align: 'left', padding: [0, 0, 0, -50], color: colours.muted, fontSize: 12 } }), { show: false, min: 0, max: 1 }],
      tooltip: { ...frame(colours).tooltip, formatter: (given) => {
        const i = indexIn(given);
        if (i === null) return '';
        const rows = [[colours.accent, section.runs.length > 1 ? run.name : 'run', values[i] === null ? 'missing' : show(values[i], unit)]];
        if (middle) rows.push([colours.baseline, section.base.runs > 1 ? 'baseline, median' : 'baseline', show(middle[i], unit)]);
        if (low && low[i] !== null) rows.push([null, 'baseline, least to most', `${show(low[i], unit)} to ${show(high[i], unit)}`]);
        if (middle && middle[i] > 0 && values[i] !== null) rows.push([null, 'change', percent(values[i] / middle[i] - 1)]);
        return tip(`frame ${frames[i]}`, rows, values[i] === null ? `missing: ${why[i] ?? 'not available'}` : null);
      } },
      series,
    };
  };
  const items = () => {
    const colours = theme();
    const made = [{ name: 'run', label: 'run', colour: 'var(--accent)', shape: 'line' }];
    if (section.base) {
      const several = section.base.runs > 1;
      made.push({ name: 'base', label: several ? `baseline: median of ${section.base.runs} runs` : 'baseline', colour: 'var(--baseline)', shape: 'dashed' });
      if (several) made.push({ name: 'base-band', also: ['base-low'], label: 'baseline: least to most', colour: colours.baseline, shape: 'band' });
    }
    return made;
  };
  const made = card({
    title: 'Frame by frame', zoom: true, group: id, items: items(), height: () => (narrow() ? 280 : 340),
    note: [choice().about, state.now().run.rule, section.changes.some((it) => it.known?.grew.length) ? 'Shaded frames got worse, each stretch by what stands in it' : null].filter(Boolean).join('. '),
    label: () => {
      const { name, unit, values, frames } = lines();
      const known = values.filter((value) => value !== null);
      const missing = values.length - known.length;
      return `Line chart of ${name} over ${frames.length} frames${section.base ? ', beside the baseline' : ''}: from ${show(Math.min(...known), unit)} to ${show(Math.max(...known), unit)}${missing ? `, ${missing} missing` : ''}`;
    },
    controls: [figureChoice(section, state), runChoice(section, state), section.base ? choiceOf('Show', ['values', 'change against the baseline'], 0, (i) => { state.relative = i === 1; draw(made); }) : null].filter(Boolean),
    option, read: (step) => read(step), enter: () => state.show(state.at),
    rows: () => {
      const { frames, name, unit, values, why, middle, low, high } = lines();
      const columns = ['frame', name, ...(middle ? ['baseline'] : []), ...(low ? ['least', 'most'] : [])];
      const row = (i) => [String(frames[i]), values[i] === null ? `missing: ${why[i] ?? 'not available'}` : show(values[i], unit),
        ...(middle ? [show(middle[i], unit)] : []), ...(low ? [show(low[i], unit), show(high[i], unit)] : [])];
      return { columns, count: frames.length, row };
    },
  });
  const read = reader(state, () => made, describe);
  onClick(made, state);
  state.changed.push(() => draw(made));
  return made;
}

/** The frame that a tooltip stands at: the carrier has one point for each. */
function indexIn(given) {
  const at = given.find((it) => it.seriesName === 'carrier');
  return at ? at.dataIndex : null;
}

/** A click at a frame shows it in the timeline. */
function onClick(made, state) {
  made.started = (instance) => instance.getZr().on('click', (event) => {
    const point = [event.offsetX, event.offsetY];
    if (!instance.containPixel('grid', point)) return;
    const [frame] = instance.convertFromPixel({ gridIndex: 0 }, point);
    state.show(nearest(state.now().frames, frame));
  });
}

function nearest(frames, wanted) {
  let best = 0;
  frames.forEach((frame, i) => { if (Math.abs(frame - wanted) < Math.abs(frames[best] - wanted)) best = i; });
  return best;
}

function choiceOf(label, names, chosen, change) {
  const select = el('select', {}, ...names.map((name, i) => el('option', { value: i, text: name })));
  select.value = chosen;
  select.addEventListener('change', () => change(Number(select.value)));
  return el('label', {}, `${label} `, select);
}

function figureChoice(section, state) {
  if (section.figures.length < 2) return null;
  return choiceOf('Figure', section.figures.map((it) => it.name), state.figure, (i) => { state.figure = i; state.changed.forEach((it) => it()); });
}

function runChoice(section, state) {
  if (section.runs.length < 2) return null;
  return choiceOf('Run', section.runs.map((it) => it.name), state.run, (i) => { state.run = i; state.choose(); });
}

// ---- where the time went ----

/** Passes by attributed time, untimed moments and waits, one on top of the other. */
function stackCard(section, state, id) {
  const parts = () => {
    const { run, frames } = state.now();
    const stack = run.stack ?? { parts: [], gaps: [] };
    const greys = { untimed: ['#8c8c8c', 2], waits: ['#bdbdbd', 1], rest: ['#6b6b6b', 3] };
    const of = (part, i) => {
      const look = part.kind === 'pass' ? lookOf(section.passes[part.pass].rank) : null;
      const [grey, pattern] = greys[part.kind] ?? [];
      return { key: `part-${i}`, label: part.kind === 'pass' ? section.passes[part.pass].name : part.name, values: valuesOf(part.values),
        share: part.kind === 'pass' ? section.passes[part.pass].share : null,
        colour: look?.colour ?? grey, pattern: look?.pattern ?? pattern, decal: look ? look.decal : { ...STRIPES[pattern], color: 'rgba(0,0,0,0.3)' } };
    };
    return { run, frames, gaps: stack.gaps, why: reasonsOf(stack.gaps, run.reasons, frames.length), parts: stack.parts.map(of) };
  };
  const total = (list, i) => list.reduce((sum, part) => sum + (part.values[i] ?? 0), 0);
  const describe = (i) => {
    const { frames, why, parts: list } = parts();
    if (why[i]) return `frame ${frames[i]}: missing: ${why[i]}`;
    const ran = list.filter((part) => part.values[i] !== null).sort((a, b) => b.values[i] - a.values[i]);
    return `frame ${frames[i]}: ${ran.slice(0, 5).map((part) => `${part.label} ${show(part.values[i], 'ns')}`).join(', ')}`;
  };
  const option = (colours) => {
    const { run, frames, gaps, why, parts: list } = parts();
    const [size, suffix] = scaleFor(Math.max(...frames.map((_, i) => total(list, i)), 0), 'ns');
    // Two points a frame, at its left and its right edge: a frame beside a gap keeps its width and is joined to nothing.
    const stride = run.rule ? Infinity : strideOf(frames);
    const half = run.rule ? 0 : stride * 0.499;
    const apart = (i) => i > 0 && frames[i] - frames[i - 1] > stride;
    const edges = (values) => values.flatMap((value, i) => {
      const drawn = value === null ? null : value / size;
      return [...(apart(i) ? [[frames[i] - half - 1e-3, null]] : []), [frames[i] - half, drawn], [frames[i] + half, drawn]];
    });
    return {
      ...zooms(colours), grid: { left: 62, right: 18, top: 40, bottom: 70 },
      xAxis: below(colours, 'frame', frameRange(frames, colours)),
      yAxis: [axis(colours, `attributed time, ${suffix}`, { min: 0, nameTextStyle: { align: 'left', padding: [0, 0, 0, -50], color: colours.muted, fontSize: 12 } }), { show: false, min: 0, max: 1 }],
      tooltip: { ...frame(colours).tooltip, formatter: (given) => {
        const i = indexIn(given);
        if (i === null) return '';
        if (why[i]) return tip(`frame ${frames[i]}`, [], `missing: ${why[i]}`);
        const ran = list.filter((part) => part.values[i] !== null).sort((a, b) => b.values[i] - a.values[i]);
        const rows = ran.slice(0, 14).map((part) => [part.colour, part.label, show(part.values[i], 'ns')]);
        return tip(`frame ${frames[i]}`, rows, ran.length > 14 ? `and ${ran.length - 14} smaller` : null);
      } },
      series: [carrier(frames, gapAreas(frames, gaps), colours), ...list.map((part) => ({
        name: part.key, type: 'line', stack: 'time', stackStrategy: 'all', data: edges(part.values), symbol: 'none', connectNulls: false,
        lineStyle: { width: 1, color: part.colour }, itemStyle: { color: part.colour, decal: part.decal }, areaStyle: { color: part.colour, opacity: 0.92 }, emphasis: { disabled: true },
      }))],
    };
  };
  const items = parts().parts.map((part) => ({ name: part.key, label: part.label, colour: part.colour, pattern: part.pattern, extra: part.share === null ? null : `${(part.share * 100).toFixed(1)} %` }));
  const made = card({
    title: 'Where the time went', zoom: true, group: id, items, height: () => (narrow() ? 300 : 360),
    note: 'Attributed times: each moment is split among the passes that ran in it, so that passes, untimed moments and waits add up. A frame that lost a stamp is left open.',
    label: () => `Stacked areas of ${parts().parts.length} parts of the frame's time over ${state.now().frames.length} frames`,
    option, read: (step) => read(step), enter: () => state.show(state.at),
    rows: () => {
      const { frames, why, parts: list } = parts();
      const value = (part, i) => (part.values[i] === null ? (why[i] ? `missing: ${why[i]}` : 'did not run') : show(part.values[i], 'ns'));
      return { columns: ['frame', ...list.map((part) => part.label)], count: frames.length, row: (i) => [String(frames[i]), ...list.map((part) => value(part, i))] };
    },
  });
  const read = reader(state, () => made, describe);
  onClick(made, state);
  state.changed.push(() => draw(made));
  return made;
}

// ---- the timeline of one frame ----

/** The runs of a frame's passes: times in nanoseconds since the frame's first start, lanes as the data has them. */
function timelineOf(lanes, at) {
  const drawn = lanes?.frames[at];
  if (!drawn) return null;
  const [which, floor, times] = drawn;
  const shape = lanes.shapes[which];
  let end = 0;
  const runs = shape.rows.map(([pass, submission, group, lane], i) => {
    const start = end + times[2 * i];
    end = start + times[2 * i + 1];
    return { pass, submission, group, lane, start: start * lanes.step, end: end * lanes.step };
  });
  const submissions = shape.submissions.map(([submission, group, lane]) => {
    const own = runs.filter((run) => run.submission === submission && run.group === group);
    return { submission, group, lane, start: Math.min(...own.map((run) => run.start)), end: Math.max(...own.map((run) => run.end)), runs: own.length };
  });
  // Rows from the top: of each queue its submissions, then its passes.
  const rows = [];
  const tops = shape.groups.map((group) => {
    const top = rows.length;
    const where = `${group.queue}${group.line ? `, apart ${group.line}` : ''}`;
    for (let i = 0; i < group.lanes[0]; i += 1) rows.push(i ? '' : `${where}: submissions`);
    for (let i = 0; i < group.lanes[1]; i += 1) rows.push(i ? '' : `${where}: passes`);
    return { submissions: top, passes: top + group.lanes[0] };
  });
  return { runs, submissions, rows, tops, floor: floor === null ? null : floor * lanes.step, apart: shape.groups.some((group) => group.line > 0) };
}

/** The passes of one frame on their queues; what ran at once stands in different lanes. */
function lanesCard(section, state) {
  const now = () => {
    const { run, frames } = state.now();
    return { run, frames, line: timelineOf(run.lanes, state.at) };
  };
  const nameOf = (pass) => section.passes[pass].name;
  const option = (colours) => {
    const { run, line } = now();
    if (!line) return { xAxis: { show: false }, yAxis: { show: false }, series: [], title: { text: 'no stamps of this frame', left: 'center', top: 'middle', textStyle: { color: colours.muted, fontSize: 14, fontWeight: 400 } } };
    const end = Math.max(...line.runs.map((it) => it.end), 1);
    const [size, suffix] = scaleFor(end, 'ns');
    const bar = (it, row, kind) => ({ value: [it.start / size, it.end / size, row], it, kind });
    const data = [
      ...line.submissions.map((it) => bar(it, line.tops[it.group].submissions + it.lane, 'submission')),
      ...line.runs.map((it) => bar(it, line.tops[it.group].passes + it.lane, 'pass')),
    ];
    const looks = data.map(({ kind, it }) => (kind === 'pass' ? lookOf(section.passes[it.pass].rank) : null));
    const renderItem = (params, api) => {
      const [from, to] = [api.coord([api.value(0), api.value(2)]), api.coord([api.value(1), api.value(2)])];
      const height = api.size([0, 1])[1] * 0.72;
      const { x, y, width, height: tall } = params.coordSys;
      // A run shorter than a pixel still shows.
      const box = echarts.graphic.clipRectByRect({ x: from[0], y: from[1] - height / 2, width: Math.max(to[0] - from[0], 1), height }, { x, y, width, height: tall });
      if (!box) return null;
      const { it, kind } = data[params.dataIndex];
      const look = looks[params.dataIndex];
      const label = kind === 'pass' ? nameOf(it.pass) : `submission ${it.submission}`;
      const pale = !look || ['#F0E442', '#56B4E9', '#E69F00'].includes(look.colour);
      return {
        type: 'rect', shape: { ...box, r: 2 }, transition: [],
        style: look ? { fill: look.colour, decal: look.decal, stroke: colours.surface, lineWidth: box.width > 4 ? 1 : 0 } : { fill: 'transparent', stroke: colours.muted, lineWidth: 1 },
        textContent: { style: { text: box.width > 36 ? label : '', fill: look ? (pale ? '#1b1d22' : '#ffffff') : colours.muted, fontSize: 12, fontFamily: colours.font, width: box.width - 10, overflow: 'truncate', textBorderWidth: 0 } },
        textConfig: { position: 'inside' },
      };
    };
    const shade = line.floor === null ? [] : [[{ xAxis: 0 }, { xAxis: line.floor / size }]];
    return {
      ...zooms(colours, false), grid: { left: narrow() ? 14 : 150, right: 18, top: 14, bottom: 44 },
      xAxis: below(colours, `time in the frame, ${suffix}`, { min: 0, max: end / size, axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true, showMaxLabel: false, formatter: (value) => digits(Number(value.toPrecision(4))) } }),
      yAxis: { type: 'category', inverse: true, data: line.rows.map((_, i) => i), axisTick: { show: false }, axisLine: { show: false }, splitLine: { show: false },
        axisLabel: { show: !narrow(), color: colours.muted, fontSize: 12, width: 136, overflow: 'truncate', interval: 0, formatter: (value) => line.rows[Number(value)] } },
      tooltip: { ...frame(colours).tooltip, trigger: 'item', formatter: (given) => {
        const { it, kind } = data[given.dataIndex] ?? {};
        if (!it) return '';
        const rows = [[null, 'start', show(it.start, 'ns')], [null, 'end', show(it.end, 'ns')], [null, kind === 'pass' ? 'duration' : 'span', show(it.end - it.start, 'ns')]];
        if (kind === 'pass') rows.push([null, 'submission', String(it.submission)]);
        return tip(kind === 'pass' ? nameOf(it.pass) : `submission ${it.submission}`, rows, null);
      } },
      series: [{
        name: 'runs', type: 'custom', renderItem, data, encode: { x: [0, 1], y: 2 }, clip: true,
        markArea: { silent: true, itemStyle: { color: colours.gap, decal: { ...STRIPES[1], color: colours.line } }, label: { show: false }, data: shade },
      }],
    };
  };
  const number = el('input', { type: 'number', inputmode: 'numeric', 'aria-label': 'frame number' });
  const said = el('span', { class: 'frame-said' });
  number.addEventListener('change', () => { if (number.value !== '') state.show(nearest(state.now().frames, Number(number.value))); });
  const button = (text, name, at) => {
    const made = el('button', { type: 'button', text, ...(name ? { 'data-pick': name } : {}) });
    made.addEventListener('click', () => { const wanted = at(); if (wanted !== null && wanted !== undefined) state.show(wanted); });
    return made;
  };
  const picks = ['slowest', 'median', 'p95'].map((name) => button(`${name} frame`, name, () => state.now().run.picks[name]));
  const turn = [['‹', 'frame before', -1], ['›', 'next frame', 1]].map(([text, label, by]) => {
    const made = button(text, null, () => Math.max(0, Math.min(state.now().frames.length - 1, state.at + by)));
    made.setAttribute('aria-label', label);
    return made;
  });
  const made = card({
    title: 'Timeline of a frame', zoom: true,
    note: 'From the frame\'s first start. Passes that ran at once stand in different lanes; hatched: beside the frame before, not this frame\'s own time. Click a frame in the charts above, or choose one here.',
    controls: [...picks, el('span', { class: 'turn' }, turn[0], number, turn[1]), said],
    height: () => 84 + 34 * (now().line?.rows.length ?? 2),
    label: () => { const { frames, line } = now(); return line ? `Timeline of frame ${frames[state.at]}: ${line.runs.length} runs of passes in ${line.submissions.length} submissions` : `frame ${frames[state.at]} has no timeline`; },
    option, read: (step) => { state.show(Math.max(0, Math.min(state.now().frames.length - 1, state.at + step))); return made.label(); },
    rows: () => {
      const { run, line } = now();
      const runs = line?.runs ?? [];
      return { columns: ['pass', 'submission', 'start', 'end', 'duration'], count: runs.length,
        row: (i) => [nameOf(runs[i].pass), String(runs[i].submission), show(runs[i].start, 'ns'), show(runs[i].end, 'ns'), show(runs[i].end - runs[i].start, 'ns')] };
    },
  });
  const update = () => {
    const { run, frames, line } = now();
    const figure = run.figures[0];
    const value = figure ? valuesOf(figure.values)[state.at] : null;
    number.value = frames[state.at];
    for (const pick of picks) {
      const at = run.picks[pick.dataset.pick];
      pick.disabled = at === null;
      pick.setAttribute('aria-pressed', String(at === state.at));
    }
    said.textContent = [figure ? `${figure.name} ${show(value, section.figures[0].unit)}` : '', line?.apart ? 'its submissions share no timeline: each begins at its own zero' : ''].filter(Boolean).join('; ');
    draw(made);
  };
  state.changed.push(update);
  update();
  return made;
}
