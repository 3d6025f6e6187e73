"use strict";
// Draws each figure from the JSON in the page. The page is whole without this, charts apart.
(() => {
  const { escape, number, tick, clock, colour, style, axis, legend, tip, tipRow, NONE } = page;
  const HEAT = {
    light: ["#eef3fb", "#b9cff3", "#7fa6e8", "#3f77d6", "#1e4fa8", "#0f2b63"],
    dark: ["#1f2a3a", "#284a7c", "#3468b8", "#5b93ea", "#9dc3ff", "#e3eeff"]
  };
  // Shapes distinguish lines where colours do not: on paper, say.
  const SYMBOLS = ["circle", "rect", "triangle", "diamond"];
  // Handles are large enough for a finger (WCAG 2.2, 2.5.8), on a bar that is not.
  const SLIDER = 24;
  const BAR = 6;
  // So few steps are all seen at once.
  const FEW_STEPS = 8;
  const charts = [];

  const percentile = oneIn =>
    oneIn <= 1 ? "0 %" : Number((100 - 100 / oneIn).toPrecision(Math.max(2, Math.ceil(Math.log10(oneIn)) + 1))) + " %";
  const seriesOf = (spec, view) => (spec.views ? spec.views[view].series : spec.series) || [];
  const zooms = spec => spec.kind !== "steps" && (spec.kind !== "lines" || spec.steps.length > FEW_STEPS);

  // The chart library stacks along the wrong one of two value axes, so the sums are made here.
  const upTo = (series, last, at) =>
    series.slice(0, last + 1).reduce((sum, s) => sum + (s.values[at] || 0), 0);

  const base = () => page.option();
  const legendOf = off => Object.assign(legend(), { selected: Object.fromEntries([...off].map(name => [name, false])) });
  // Steps of a clock, about eight of them.
  const timeStep = seconds => [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000]
    .find(step => seconds / step <= 9) || Math.ceil(seconds / 8 / 36000) * 36000;
  // Charts over time zoom together, so the first one has the handles for all of them.
  let brush = null;
  const hasSlider = spec => zooms(spec) && !page.isPrinting() && (spec.kind !== "time" || spec === brush);
  // The plot's place: names above, the axis and what else is under it below.
  const grid = (spec, series, width, right, below) => ({
    left: 8, right, top: page.belowLegend(series.map(s => s.name), width), bottom: below + (hasSlider(spec) ? SLIDER + 8 : 0)
  });
  const zoom = spec => (!zooms(spec) ? undefined : [
    { type: "slider", show: hasSlider(spec), xAxisIndex: 0, height: BAR, bottom: 4 + (SLIDER - BAR) / 2,
      borderColor: "transparent", borderRadius: BAR / 2,
      showDetail: false, showDataShadow: false, brushSelect: false, filterMode: "none", throttle: 0,
      fillerColor: "rgba(128,140,155,.55)", backgroundColor: "rgba(128,140,155,.2)",
      handleIcon: "circle", handleSize: SLIDER - 2, moveHandleSize: 0,
      handleStyle: { color: style("--page"), borderColor: style("--muted"), borderWidth: 2 },
      emphasis: { handleStyle: { color: style("--page"), borderColor: style("--text"), borderWidth: 2 } } },
    { type: "inside", xAxisIndex: 0, zoomOnMouseWheel: "shift", moveOnMouseWheel: false,
      moveOnMouseMove: false, preventDefaultMouseMove: false, filterMode: "none" }
  ]);

  const markOf = spec => (spec.mark === undefined ? undefined : {
    silent: true, symbol: "none", label: { show: false }, data: [{ yAxis: spec.mark }],
    lineStyle: { color: style("--muted"), type: "solid", width: 1 }
  });

  const across = (at, width, dash) => ({ silent: true, symbol: "none", label: { show: false }, data: [at], lineStyle: { width, type: dash } });
  // A mark of the chart, the mean of a series, or the limit of its type where it is in sight.
  const lineOf = (spec, s, i) => {
    const limit = (spec.limits || {})[s.key];
    const known = s.values.filter(v => v !== null);
    if (limit && Math.max(0, ...known) >= limit / 2) return across({ yAxis: limit }, 1, "dashed");
    if (spec.means && known.length) return across({ yAxis: known.reduce((sum, v) => sum + v, 0) / known.length }, 0.8, "solid");
    return i === 0 ? markOf(spec) : undefined;
  };

  // What was done to the system, from its beginning to its end and at least a line wide.
  const eventsOf = spec => (!spec.events ? undefined : {
    silent: true, itemStyle: { color: style("--muted"), opacity: .18, borderColor: style("--muted"), borderWidth: 1 },
    label: { color: style("--muted"), fontSize: 10, position: "insideTop", rotate: 90, align: "right", offset: [4, 4] },
    data: spec.events.map(e => [{ name: e.name, xAxis: e.from }, { xAxis: Math.min(spec.seconds, e.to) }])
  });

  const options = {
    time(spec, view, width, off) {
      const series = seriesOf(spec, view);
      const shown = series.filter(s => !off.has(s.name));
      const end = spec.seconds;
      return Object.assign(base(), {
        legend: legendOf(off),
        grid: grid(spec, series, width, 14, 24),
        dataZoom: zoom(spec),
        xAxis: axis("", {
          type: "value", min: 0, max: end, interval: timeStep(end), splitLine: { show: false },
          axisLabel: { color: style("--muted"), formatter: clock, hideOverlap: true }
        }),
        yAxis: axis(spec.unit, Object.assign({ type: "value", min: 0 }, page.ticks(spec.max ? [spec.max] : shown.flatMap(s => s.values)), spec.max ? { max: spec.max } : {})),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis",
          formatter: items => tip(
            clock(items[0].value[0]) + (spec.width > 1 ? " – " + clock(items[0].value[0] + spec.width) : ""),
            items.map(i => tipRow(i, i.value[2], spec.unit)))
        }),
        series: series.map((s, i) => ({
          name: s.name, type: "line", showSymbol: s.values.length < 3, symbolSize: 5, connectNulls: !!spec.sampled,
          color: colour(s.key, i), lineStyle: { width: spec.stack ? 0.5 : s.key === "total" ? 2.2 : 1.7 },
          // Areas on top of each other must keep the same points.
          sampling: spec.stack ? undefined : "lttb", z: spec.stack ? 2 + series.length - i : 2,
          areaStyle: spec.stack ? { opacity: 1 } : undefined, emphasis: { disabled: true },
          markLine: lineOf(spec, s, i), markArea: i === 0 ? eventsOf(spec) : undefined,
          data: s.values.map((v, at) => [at * spec.width, v === null ? null : spec.stack ? Math.min(spec.max, upTo(series, i, at)) : v, v])
        }))
      });
    },
    curve(spec, view, width, off) {
      const series = seriesOf(spec, view);
      return Object.assign(base(), {
        legend: legendOf(off),
        grid: grid(spec, series, width, 24, 24),
        dataZoom: zoom(spec),
        // As the logarithm itself, so that each decade has the same place on the slider too.
        xAxis: axis("", {
          type: "value", min: 0, max: Math.max(1, ...series.flatMap(s => s.points.map(p => Math.log10(p[0])))),
          axisLabel: {
            color: style("--muted"), formatter: v => percentile(10 ** v), hideOverlap: true, showMaxLabel: false
          }
        }),
        // Below 10 µs lies nothing that anybody waits for.
        yAxis: axis(spec.unit, { type: "log", min: range => 10 ** Math.floor(Math.log10(Math.max(range.min, 0.01))) }),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis",
          formatter: items => tip(percentile(items[0].value[2]), items.map(i => tipRow(i, i.value[1], spec.unit)))
        }),
        series: series.map((s, i) => ({
          name: s.name, type: "line", showSymbol: s.points.length < 3, symbolSize: 5, color: colour(s.key, i),
          lineStyle: { width: 1.5 }, emphasis: { disabled: true },
          data: s.points.map(p => [Math.log10(p[0]), p[1] > 0 ? p[1] : null, p[0]])
        }))
      });
    },
    steps(spec, view, width, off) {
      const series = seriesOf(spec, view);
      return Object.assign(base(), {
        legend: legendOf(off),
        grid: grid(spec, series, width, 14, 24),
        xAxis: axis("", {
          type: "category", data: spec.steps, boundaryGap: true, splitLine: { show: false },
          axisLabel: { color: style("--muted") }
        }),
        yAxis: axis(spec.unit, Object.assign(
          { type: "value", min: 0 }, page.ticks(series.filter(s => !off.has(s.name)).flatMap(s => s.values)))),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis", axisPointer: { type: "shadow" },
          formatter: items => tip(items[0].name, items.map(i => tipRow(i, i.value, spec.unit)))
        }),
        series: series.map((s, i) => ({
          name: s.name, type: "bar", barMaxWidth: 36, color: colour(s.key, i), emphasis: { disabled: true }, data: s.values
        }))
      });
    },
    lines(spec, view, width) {
      const series = seriesOf(spec, view);
      const around = (s, at) => s.low && s.low[at] !== null && s.low[at] !== undefined
        ? " (" + number(s.low[at]) + " – " + number(s.high[at]) + ")" : "";
      const whisker = (s, i) => ({
        name: s.name, type: "custom", silent: true, z: 1, color: colour(s.key, i), clip: true,
        encode: { x: 0, y: [1, 2] }, // so that the axis reaches to both ends
        data: s.low.map((low, at) => [at, low, s.high[at]]).filter(d => d[1] !== null),
        renderItem: (params, api) => {
          const low = api.coord([api.value(0), api.value(1)]);
          const high = api.coord([api.value(0), api.value(2)]);
          const line = (x1, y1, x2, y2) => ({
            type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: colour(s.key, i), lineWidth: 1.2 }
          });
          return { type: "group", children: [
            line(low[0], low[1], high[0], high[1]),
            line(low[0] - 4, low[1], low[0] + 4, low[1]), line(high[0] - 4, high[1], high[0] + 4, high[1])] };
        }
      });
      // What was usual, as an area between its ends: the lower one carries the difference.
      const band = (s, i) => {
        const end = (data, area) => ({
          name: s.name, type: "line", stack: "band" + i, stackStrategy: "all", silent: true, symbol: "none", z: 1, color: colour(s.key, i),
          lineStyle: { opacity: 0 }, areaStyle: area ? { opacity: 0.16 } : undefined, emphasis: { disabled: true }, data
        });
        return [end(s.low, false), end(s.low.map((low, at) => (low === null ? null : s.high[at] - low)), true)];
      };
      const ring = (s, i) => ({
        name: s.name, type: "scatter", silent: true, symbol: "circle", symbolSize: 15, z: 4,
        itemStyle: { color: "transparent", borderColor: style("--fail"), borderWidth: 2 },
        data: s.marked.map(at => [at, s.values[at]])
      });
      const dots = (s, i) => ({
        name: s.name, type: "scatter", silent: true, symbolSize: 4, color: colour(s.key, i), itemStyle: { opacity: 0.55 },
        data: s.dots.flatMap((values, at) => values.map(v => [at, v]))
      });
      return Object.assign(base(), {
        legend: legend(),
        grid: grid(spec, series, width, 14, 42),
        dataZoom: zoom(spec),
        xAxis: axis(spec.axis, {
          type: "category", data: spec.steps, boundaryGap: true, splitLine: { show: false },
          nameLocation: "middle", nameGap: 26, nameTextStyle: { color: style("--muted"), align: "center" },
          axisLabel: { color: style("--muted"), hideOverlap: true }
        }),
        yAxis: axis(spec.unit, {
          type: "value", min: spec.history ? null : 0, scale: !!spec.history,
          max: spec.mark === undefined ? null : range => (range.max < spec.mark ? spec.mark : null)
        }),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis",
          formatter: items => {
            // The ends of a band are lines of the same name.
            const lines = items.filter((i, at) => i.seriesType === "line" && items.findIndex(other => other.seriesName === i.seriesName) === at && i.value !== null && i.value !== undefined);
            return tip(items[0].axisValueLabel + " " + spec.axis, lines.map(i =>
              [i.marker, i.seriesName, number(i.value) + around(series.find(one => one.name === i.seriesName), i.dataIndex)]));
          }
        }),
        series: series.flatMap((s, i) => [{
          name: s.name, type: "line", symbol: SYMBOLS[i % SYMBOLS.length], symbolSize: 7, showSymbol: true, connectNulls: true, color: colour(s.key, i),
          lineStyle: { width: 1.8, type: s.dashed ? [6, 4] : "solid" }, emphasis: { disabled: true }, data: s.values,
          markLine: i === 0 ? markOf(spec) : undefined
        }].concat(s.low ? (spec.history ? band(s, i) : [whisker(s, i)]) : [], s.marked ? [ring(s, i)] : [], s.dots ? [dots(s, i)] : []))
      });
    },
    heat(spec) {
      const width = spec.width;
      const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600].map(s => Math.ceil(s / width) * width)
        .find(s => spec.columns * width / s <= 9) || Math.ceil(spec.columns / 9) * width;
      const top = Math.max(1, ...spec.cells.map(c => c[2]));
      const band = i => number(spec.edges[i]) +
        (i + 1 < spec.edges.length ? " – " + number(spec.edges[i + 1]) : " and more");
      return Object.assign(base(), {
        grid: { left: 8, right: 14, top: 26, bottom: 54 + (hasSlider(spec) ? SLIDER + 8 : 0) },
        dataZoom: zoom(spec),
        xAxis: axis("", {
          type: "category", z: 10, data: Array.from({ length: spec.columns }, (_, i) => i * width),
          splitLine: { show: false },
          axisLabel: { color: style("--muted"), formatter: v => clock(Number(v)), interval: i => (i * width) % step === 0 }
        }),
        yAxis: axis(spec.unit, {
          type: "category", data: spec.edges, splitLine: { show: false },
          axisLabel: { color: style("--muted"), interval: Math.max(0, Math.ceil(spec.edges.length / 12) - 1), formatter: v => tick(Number(Number(v).toPrecision(2))) }
        }),
        visualMap: {
          min: 0, max: Math.log10(top + 1), dimension: 3, calculable: false, orient: "horizontal",
          left: "center", bottom: hasSlider(spec) ? SLIDER + 10 : 4, itemWidth: 10, itemHeight: 120, text: [number(top) + " transactions", "1"],
          textStyle: { color: style("--muted") }, inRange: { color: HEAT[page.scheme()] }, formatter: () => ""
        },
        tooltip: Object.assign(base().tooltip, {
          formatter: item => "<b>" + clock(item.value[0] * width) + " – " + clock((item.value[0] + 1) * width) + "</b><br>" +
            escape(band(item.value[1])) + " " + escape(spec.unit) + ": " + number(item.value[2]) + " transactions"
        }),
        series: [{
          type: "heatmap", progressive: 0, emphasis: { disabled: true },
          data: spec.cells.map(c => [c[0], c[1], c[2], Math.log10(c[2] + 1)])
        }]
      });
    }
  };

  // Columns of values, and what is at the left of them.
  const columns = (first, rows, series, after) => {
    const texts = series.map(s => rows.map((row, i) => number(s.values[i])));
    return [[first, ...series.map(s => s.name)],
      rows.map((row, i) => [row, ...series.map((s, at) => texts[at][i] + (after ? after(s, i) : ""))])];
  };
  const tables = {
    time: (spec, view) => {
      const series = seriesOf(spec, view);
      const length = Math.max(0, ...series.map(s => s.values.length));
      return columns("time", Array.from({ length }, (_, i) => clock(i * spec.width)), series);
    },
    curve: (spec, view) => {
      const series = seriesOf(spec, view);
      const longest = series.reduce((a, b) => (b.points.length > a.length ? b.points : a), []);
      const [head, rows] = columns("percentile", longest.map(p => percentile(p[0])).concat("maximum"), series.map(s => ({
        name: s.name,
        // The last point of each is its own: the maximum.
        values: longest.map((p, i) => (s.points[i] && s.points[i][0] === p[0] ? s.points[i][1] : null))
          .concat(s.points.length ? s.points[s.points.length - 1][1] : null)
      })));
      return [head, rows.map((row, at) => (at < longest.length ? row.map(text => (text === NONE ? "" : text)) : row))];
    },
    steps: (spec, view) => columns("", spec.steps, seriesOf(spec, view)),
    lines: (spec, view) => columns(spec.axis, spec.steps, seriesOf(spec, view), (s, i) =>
      s.low && s.low[i] !== null ? " (" + number(s.low[i]) + " – " + number(s.high[i]) + ")" : ""),
    heat: spec => {
      const edges = spec.edges.map(number);
      return [["time", spec.unit + " from", "transactions"],
        spec.cells.map(c => [clock(c[0] * spec.width), edges[c[1]], page.count(c[2])])];
    }
  };
  const titleOf = one => one.figure.querySelector("h3").textContent;
  const nameOfView = one => (one.spec.views && one.spec.views[one.view].name ? ", " + one.spec.views[one.view].name : "");
  const fillTable = one => page.table(
    titleOf(one) + nameOfView(one) + (one.spec.unit ? ", " + one.spec.unit : ""), ...tables[one.spec.kind](one.spec, one.view));

  const rangeOf = one => {
    const first = ((one.chart.getOption() || {}).dataZoom || [])[0];
    return first ? [first.start, first.end] : [0, 100];
  };
  // Silently: a chart that is zoomed by another one must not zoom others in turn. Else a chart that lags by a frame would send the one under
  // the pointer back to where it was.
  const zoomTo = (one, start, end) => {
    one.chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, start, end }, { silent: true });
    one.zoomed();
  };
  // Charts over time show the same span: zooming one zooms all.
  const group = one => (one.spec.kind === "time" ? charts.filter(other => other.spec.kind === "time") : [one]);

  const draw = one => {
    if (!one.plot.clientWidth && !page.isPrinting()) return; // folded
    const [start, end] = rangeOf(one);
    const width = page.fit(one.plot, one.chart, seriesOf(one.spec, one.view).map(s => s.name));
    const option = options[one.spec.kind](one.spec, one.view, width, one.off);
    if (option.dataZoom) option.dataZoom.forEach(z => Object.assign(z, { start, end }));
    one.chart.setOption(option, true);
  };
  const describe = one => page.describe(one.plot, titleOf(one) + nameOfView(one), one.spec.unit,
    seriesOf(one.spec, one.view).map(s => [s.name, s.points ? s.points.map(p => p[1]) : s.values]), zooms(one.spec));

  // Views stand in one row of buttons, or in several rows whose last one changes first.
  const addViews = one => {
    const rows = one.spec.choices || [{ name: "", options: (one.spec.views || []).map(view => view.name) }];
    let width = 1;
    const widths = rows.map(row => row.options.length).reverse()
      .map(length => (width *= length) / length).reverse();
    rows.forEach((row, at) => {
      const chosen = () => Math.floor(one.view / widths[at]) % row.options.length;
      page.choice(one.figure.querySelector(".views"), row.name, row.options, chosen(), index => {
        one.view += (index - chosen()) * widths[at];
        draw(one);
        describe(one);
        one.refillTable();
      });
    });
  };
  // The slider and the wheel change their own chart; the others follow in the next frame.
  const leadOthers = one => {
    let waiting = false;
    one.chart.on("datazoom", () => {
      one.zoomed();
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        group(one).filter(other => other !== one).forEach(other => zoomTo(other, ...rangeOf(one)));
      });
    });
  };
  document.querySelectorAll("[data-chart]").forEach(figure => {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const plot = figure.querySelector(".plot");
    if (spec.kind === "time" && !brush) brush = spec;
    const chart = echarts.init(plot, null, { renderer: "canvas", width: plot.clientWidth || 600 });
    // Nobody waits for a delivery in the background; a click on its name shows it.
    const one = { figure, plot, spec, chart, view: spec.view || 0, off: new Set(spec.hidden ? [spec.hidden] : []), zoomed: () => {} };
    charts.push(one);
    chart.on("legendselectchanged", change => {
      one.off = new Set(Object.keys(change.selected).filter(name => !change.selected[name]));
      draw(one);
    });
    one.refillTable = page.onTable(figure, () => fillTable(one));
    addViews(one);
    draw(one);
    describe(one);
    if (zooms(spec)) {
      one.zoomed = page.zoomable(figure, chart, {
        range: () => rangeOf(one),
        set: (start, end) => group(one).forEach(other => zoomTo(other, start, end))
      });
      leadOthers(one);
    }
  });

  // Nothing that is folded has a size; what is linked to is opened.
  document.querySelectorAll(".fold").forEach(fold => fold.addEventListener("toggle", () => {
    if (!fold.open) return;
    const shown = charts.find(one => one.spec === brush);
    charts.filter(one => fold.contains(one.figure)).forEach(one => {
      draw(one);
      if (one.spec.kind === "time" && shown && shown !== one) zoomTo(one, ...rangeOf(shown));
    });
    page.allReachable();
  }));
  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const fold = target && (target.querySelector(":scope > .fold") || target.closest(".fold"));
    if (fold) fold.open = true;
  };
  window.addEventListener("hashchange", unfold);
  document.querySelectorAll("nav a").forEach(a => a.addEventListener("click", () => setTimeout(unfold)));
  unfold();

  // The section that is being read is marked among the links.
  const links = new Map([...document.querySelectorAll("nav a")].map(a => [a.hash.slice(1), a]));
  const seen = new Set();
  const reading = new IntersectionObserver(entries => {
    entries.forEach(e => (e.isIntersecting ? seen.add(e.target.id) : seen.delete(e.target.id)));
    const current = [...links.keys()].find(id => seen.has(id));
    links.forEach((a, id) => (id === current ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current")));
  }, { rootMargin: "-80px 0px -50% 0px" });
  document.querySelectorAll("main section").forEach(section => reading.observe(section));

  // Said once, and only where there is somebody to do it.
  const first = charts.find(one => zooms(one.spec));
  if (first) {
    const hint = document.createElement("p");
    hint.className = "note hint";
    hint.textContent = (window.matchMedia("(pointer: coarse)").matches
      ? "Move the handles below a chart to zoom"
      : "Drag over a chart to zoom, double-click to see all again; or move the handles below it, or press plus, minus and 0 on it") +
      (first.spec.kind === "time" ? "; charts over time zoom together. " : ". ") + "A click on a name hides its line.";
    first.figure.querySelector("details").before(hint);
  }

  page.allReachable();
  page.onLook(() => {
    charts.forEach(draw);
    page.allReachable();
  });
})();
