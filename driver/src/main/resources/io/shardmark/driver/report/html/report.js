"use strict";
// Draws each figure from the JSON beside it. The page is whole without this, charts apart.
(() => {
  // Told apart with each kind of colour blindness: at least 24 in CIELAB between any two.
  const TYPES = {
    light: {
      NEW_ORDER: "#093b85", PAYMENT: "#c75000", ORDER_STATUS: "#1b8b5c", STOCK_LEVEL: "#4e00bd",
      DELIVERY: "#bd6fdf", DELIVERY_BG: "#7b8fa2", total: "#111820"
    },
    dark: {
      NEW_ORDER: "#4479c6", PAYMENT: "#ff9a3c", ORDER_STATUS: "#30ed9d", STOCK_LEVEL: "#8158ff",
      DELIVERY: "#f6b3ff", DELIVERY_BG: "#8b726b", total: "#f2f5f8"
    }
  };
  const OTHERS = {
    light: ["#093b85", "#c75000", "#1b8b5c", "#4e00bd", "#bd6fdf", "#7b8fa2", "#a3123a", "#6b5b00"],
    dark: ["#4479c6", "#ff9a3c", "#30ed9d", "#8158ff", "#f6b3ff", "#8b726b", "#ff6b81", "#d8d36a"]
  };
  const HEAT = {
    light: ["#eef3fb", "#b9cff3", "#7fa6e8", "#3f77d6", "#1e4fa8", "#0f2b63"],
    dark: ["#1f2a3a", "#284a7c", "#3468b8", "#5b93ea", "#9dc3ff", "#e3eeff"]
  };
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let printing = false;
  let plotWidth = 0;
  const charts = [];
  const scheme = () => (dark.matches && !printing ? "dark" : "light");
  const style = name =>
    printing ? { "--text": "#000", "--muted": "#444", "--line": "#ccc", "--page": "#fff" }[name]
      : getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const escape = text =>
    String(text).replace(/[&<>"']/g, c => "&#" + c.charCodeAt(0) + ";");

  const number = value => {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    const size = Math.abs(value);
    const digits = size === 0 || size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    return value.toLocaleString("en-US", { maximumFractionDigits: digits });
  };
  const tick = value => {
    const size = Math.abs(value);
    if (size >= 1e9) return value / 1e9 + "G";
    if (size >= 1e6) return value / 1e6 + "M";
    if (size >= 1e4) return value / 1e3 + "k";
    return String(Number(value.toPrecision(6)));
  };
  const clock = seconds => {
    const s = Math.round(seconds);
    const two = n => String(n).padStart(2, "0");
    return s >= 3600
      ? Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60)
      : Math.floor(s / 60) + ":" + two(s % 60);
  };
  const percentile = oneIn =>
    oneIn <= 1 ? "0 %" : Number((100 - 100 / oneIn).toPrecision(Math.max(2, Math.ceil(Math.log10(oneIn)) + 1))) + " %";

  const seriesOf = (spec, view) => (spec.views ? spec.views[view].series : spec.series);
  // A key such as "s2" keeps its colour in views that lack other series.
  const colour = (series, index) => {
    const others = OTHERS[scheme()];
    const numbered = /^s\d+$/.test(series.key) ? Number(series.key.slice(1)) : index;
    return TYPES[scheme()][series.key] || others[numbered % others.length];
  };

  // The chart library stacks along the wrong one of two value axes, so the sums are made here.
  const upTo = (series, last, at) =>
    series.slice(0, last + 1).reduce((sum, s) => sum + (s.values[at] || 0), 0);

  const base = () => ({
    animation: false,
    textStyle: { color: style("--text"), fontFamily: "system-ui, sans-serif" },
    tooltip: {
      confine: true, backgroundColor: style("--page"), borderColor: style("--line"),
      textStyle: { color: style("--text"), fontSize: 13 }
    },
    toolbox: {
      show: roomForTools() > 0, right: 0, top: 0, itemSize: 13, iconStyle: { borderColor: style("--muted") },
      feature: { dataZoom: { title: { zoom: "Zoom into an area", back: "Back" } }, restore: { title: "Whole" } }
    }
  });
  const zoom = axes => [
    { type: "slider", show: !printing, xAxisIndex: axes, height: 14, bottom: 8, borderColor: "transparent",
      showDetail: false, showDataShadow: false, brushSelect: false, filterMode: "none",
      fillerColor: "rgba(128,140,155,.25)", backgroundColor: "rgba(128,140,155,.10)",
      handleStyle: { color: style("--muted"), borderColor: style("--muted") }, moveHandleSize: 0,
      emphasis: { handleStyle: { borderColor: style("--text") } } },
    { type: "inside", xAxisIndex: axes, zoomOnMouseWheel: "shift", moveOnMouseWheel: false,
      moveOnMouseMove: false, preventDefaultMouseMove: false, filterMode: "none" }
  ];
  const axis = (name, extra) => Object.assign({
    name, nameTextStyle: { color: style("--muted"), align: "left" }, nameGap: 10,
    axisLabel: { color: style("--muted"), formatter: tick, hideOverlap: true },
    axisLine: { lineStyle: { color: style("--line") } }, axisTick: { show: false },
    splitLine: { lineStyle: { color: style("--line"), opacity: 0.7 } }, minorSplitLine: { show: false }
  }, extra);
  // All names are shown, in as many rows as they need; the plot begins below them.
  const NARROW = 600;
  const ruler = document.createElement("canvas").getContext("2d");
  const roomForTools = () => (printing || plotWidth < NARROW ? 0 : 90);
  const legendRows = names => {
    ruler.font = "12px system-ui, sans-serif";
    const room = plotWidth - roomForTools();
    let rows = 1;
    let used = 0;
    names.forEach(name => {
      const item = ruler.measureText(name).width + 29;
      rows += used > 0 && used + item > room ? 1 : 0;
      used = used > 0 && used + item <= room ? used + item : item;
    });
    return rows;
  };
  const grid = (right, bottom, series) => ({
    left: 8, right, top: 30 + 24 * legendRows(series.map(s => s.name)), bottom: printing ? bottom - 30 : bottom
  });
  const legend = () => ({
    top: 2, left: 0, right: roomForTools(), padding: [4, 0], itemGap: 10, icon: "roundRect", itemWidth: 12, itemHeight: 3,
    textStyle: { color: style("--text"), fontFamily: "system-ui, sans-serif", fontSize: 12 }, inactiveColor: style("--line")
  });
  const rowsOfTooltip = (title, items, unit) =>
    "<b>" + escape(title) + "</b>" + items.map(item =>
      "<div style='display:flex;justify-content:space-between;gap:16px'><span>" + item.marker +
      escape(item.seriesName) + "</span><span>" + escape(number(item.value)) +
      (unit ? " " + escape(unit) : "") + "</span></div>").join("");

  const markOf = spec => (spec.mark === undefined ? undefined : {
    silent: true, symbol: "none", label: { show: false }, data: [{ yAxis: spec.mark }],
    lineStyle: { color: style("--muted"), type: "solid", width: 1 }
  });

  const options = {
    time(spec, view) {
      const series = seriesOf(spec, view);
      const end = spec.seconds;
      return Object.assign(base(), {
        legend: legend(),
        grid: grid(12, 46, series),
        dataZoom: zoom([0]),
        xAxis: axis("", {
          type: "value", min: 0, max: end, splitLine: { show: false },
          axisLabel: { color: style("--muted"), formatter: clock, hideOverlap: true }
        }),
        yAxis: axis(spec.unit, { type: "value", min: 0, max: spec.max || null }),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis",
          formatter: items => rowsOfTooltip(
            clock(items[0].value[0]) + (spec.width > 1 ? " – " + clock(items[0].value[0] + spec.width) : ""),
            items.map(i => ({ marker: i.marker, seriesName: i.seriesName, value: i.value[2] })), spec.unit)
        }),
        series: series.map((s, i) => ({
          name: s.name, type: "line", showSymbol: s.values.length < 3, symbolSize: 5, connectNulls: !!spec.sampled,
          color: colour(s, i), lineStyle: { width: spec.stack ? 0.5 : s.key === "total" ? 2.2 : 1.7 },
          // Areas on top of each other must keep the same points.
          sampling: spec.stack ? undefined : "lttb", z: spec.stack ? 2 + series.length - i : 2,
          areaStyle: spec.stack ? { opacity: 1 } : undefined, emphasis: { disabled: true },
          markLine: i === 0 ? markOf(spec) : undefined,
          data: s.values.map((v, at) => [at * spec.width, v === null ? null : spec.stack ? Math.min(spec.max, upTo(series, i, at)) : v, v])
        }))
      });
    },
    curve(spec, view) {
      const series = seriesOf(spec, view);
      return Object.assign(base(), {
        legend: legend(),
        grid: grid(24, 46, series),
        dataZoom: zoom([0]),
        xAxis: axis("", {
          type: "log", min: 1, splitLine: { show: true, lineStyle: { color: style("--line"), opacity: 0.7 } },
          axisLabel: { color: style("--muted"), formatter: percentile, hideOverlap: true }
        }),
        // Below 10 µs lies nothing that anybody waits for.
        yAxis: axis(spec.unit, { type: "log", min: range => Math.max(range.min, 0.01) }),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis",
          formatter: items => rowsOfTooltip(percentile(items[0].value[0]),
            items.map(i => ({ marker: i.marker, seriesName: i.seriesName, value: i.value[1] })), spec.unit)
        }),
        series: series.map((s, i) => ({
          name: s.name, type: "line", showSymbol: s.points.length < 3, symbolSize: 5, color: colour(s, i),
          lineStyle: { width: 1.5 }, emphasis: { disabled: true },
          data: s.points.map(p => [p[0], p[1] > 0 ? p[1] : null])
        }))
      });
    },
    steps(spec, view) {
      const series = seriesOf(spec, view);
      return Object.assign(base(), {
        legend: legend(),
        grid: grid(12, 46, series),
        dataZoom: zoom([0]),
        xAxis: axis("", {
          type: "category", data: spec.steps, boundaryGap: true, splitLine: { show: false },
          axisLabel: { color: style("--muted") }
        }),
        yAxis: axis(spec.unit, { type: "value", min: 0 }),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis", axisPointer: { type: "shadow" },
          formatter: items => rowsOfTooltip(items[0].name, items, spec.unit)
        }),
        series: series.map((s, i) => ({
          name: s.name, type: "bar", barMaxWidth: 36, color: colour(s, i), emphasis: { disabled: true }, data: s.values
        }))
      });
    },
    lines(spec, view) {
      const series = seriesOf(spec, view);
      const around = (s, at) => s.low && s.low[at] !== null && s.low[at] !== undefined
        ? " (" + number(s.low[at]) + " – " + number(s.high[at]) + ")" : "";
      const whisker = (s, i) => ({
        name: s.name, type: "custom", silent: true, z: 1, color: colour(s, i), clip: true,
        encode: { x: 0, y: [1, 2] }, // so that the axis reaches to both ends
        data: s.low.map((low, at) => [at, low, s.high[at]]).filter(d => d[1] !== null),
        renderItem: (params, api) => {
          const low = api.coord([api.value(0), api.value(1)]);
          const high = api.coord([api.value(0), api.value(2)]);
          const line = (x1, y1, x2, y2) => ({
            type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: colour(s, i), lineWidth: 1.2 }
          });
          return { type: "group", children: [
            line(low[0], low[1], high[0], high[1]),
            line(low[0] - 4, low[1], low[0] + 4, low[1]), line(high[0] - 4, high[1], high[0] + 4, high[1])] };
        }
      });
      const dots = (s, i) => ({
        name: s.name, type: "scatter", silent: true, symbolSize: 4, color: colour(s, i), itemStyle: { opacity: 0.55 },
        data: s.dots.flatMap((values, at) => values.map(v => [at, v]))
      });
      return Object.assign(base(), {
        legend: legend(),
        grid: grid(12, 62, series),
        dataZoom: zoom([0]),
        xAxis: axis(spec.axis, {
          type: "category", data: spec.steps, boundaryGap: true, splitLine: { show: false },
          nameLocation: "middle", nameGap: 26, nameTextStyle: { color: style("--muted"), align: "center" },
          axisLabel: { color: style("--muted"), hideOverlap: true }
        }),
        yAxis: axis(spec.unit, {
          type: "value", min: 0,
          max: spec.mark === undefined ? null : range => (range.max < spec.mark ? spec.mark : null)
        }),
        tooltip: Object.assign(base().tooltip, {
          trigger: "axis",
          formatter: items => {
            const lines = items.filter(i => i.seriesType === "line" && i.value !== null && i.value !== undefined);
            return "<b>" + escape(items[0].axisValueLabel + " " + spec.axis) + "</b>" + lines.map(i => {
              const s = series.find(one => one.name === i.seriesName);
              return "<div style='display:flex;justify-content:space-between;gap:16px'><span>" + i.marker +
                escape(i.seriesName) + "</span><span>" + escape(number(i.value) + around(s, i.dataIndex)) + "</span></div>";
            }).join("");
          }
        }),
        series: series.flatMap((s, i) => [{
          name: s.name, type: "line", symbol: "circle", symbolSize: 6, showSymbol: true, connectNulls: true, color: colour(s, i),
          lineStyle: { width: 1.8, type: s.dashed ? [6, 4] : "solid" }, emphasis: { disabled: true }, data: s.values,
          markLine: i === 0 ? markOf(spec) : undefined
        }].concat(s.low ? [whisker(s, i)] : [], s.dots ? [dots(s, i)] : []))
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
        grid: { left: 8, right: 12, top: 36, bottom: printing ? 58 : 78 },
        dataZoom: zoom([0]),
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
          left: "center", bottom: printing ? 4 : 26, itemWidth: 10, itemHeight: 120, text: [number(top) + " transactions", "1"],
          textStyle: { color: style("--muted") }, inRange: { color: HEAT[scheme()] }, formatter: () => ""
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

  const tables = {
    time: (spec, view) => {
      const series = seriesOf(spec, view);
      const length = Math.max(0, ...series.map(s => s.values.length));
      return [["time", ...series.map(s => s.name)],
        Array.from({ length }, (_, i) => [clock(i * spec.width), ...series.map(s => number(s.values[i]))])];
    },
    curve: (spec, view) => {
      const series = seriesOf(spec, view);
      const longest = series.reduce((a, b) => (b.points.length > a.length ? b.points : a), []);
      return [["percentile", ...series.map(s => s.name)],
        longest.map((p, i) => [percentile(p[0]), ...series.map(s =>
          // The last point of each is its own: the maximum.
          s.points[i] && s.points[i][0] === p[0] ? number(s.points[i][1]) : "")])
          .concat([["maximum", ...series.map(s => s.points.length ? number(s.points[s.points.length - 1][1]) : "–")]])];
    },
    steps: (spec, view) => {
      const series = seriesOf(spec, view);
      return [["", ...series.map(s => s.name)],
        spec.steps.map((step, i) => [step, ...series.map(s => number(s.values[i]))])];
    },
    lines: (spec, view) => {
      const series = seriesOf(spec, view);
      const range = (s, i) => s.low && s.low[i] !== null ? " (" + number(s.low[i]) + " – " + number(s.high[i]) + ")" : "";
      return [[spec.axis, ...series.map(s => s.name)],
        spec.steps.map((step, i) => [step, ...series.map(s => number(s.values[i]) + range(s, i))])];
    },
    heat: spec => [["time", spec.unit + " from", "transactions"],
      spec.cells.map(c => [clock(c[0] * spec.width), number(spec.edges[c[1]]), number(c[2])])]
  };

  const fillTable = one => {
    const [head, rows] = tables[one.spec.kind](one.spec, one.view);
    const cell = (tag, text) => "<" + tag + " class='number'>" + escape(text) + "</" + tag + ">";
    const shown = rows.slice(0, 5000);
    one.figure.querySelector(".data").innerHTML =
      "<table><thead><tr>" + head.map(h => cell("th", h)).join("") + "</tr></thead><tbody>" +
      shown.map(r => "<tr>" + r.map(v => cell("td", v)).join("") + "</tr>").join("") + "</tbody></table>" +
      (shown.length < rows.length ? "<p>and " + (rows.length - shown.length) + " more rows</p>" : "");
  };
  // Names in many rows must not eat the plot: it grows with them.
  const makeRoom = one => {
    const plot = one.figure.querySelector(".plot");
    const names = (seriesOf(one.spec, one.view) || []).map(s => s.name);
    plot.style.height = "";
    const height = plot.clientHeight + 24 * Math.max(0, legendRows(names) - 2);
    plot.style.height = height + "px";
    if (height !== one.chart.getHeight()) one.chart.resize({ width: plotWidth, height });
  };
  const draw = one => {
    const range = (one.chart.getOption() || {}).dataZoom;
    plotWidth = one.chart.getWidth();
    makeRoom(one);
    const option = options[one.spec.kind](one.spec, one.view);
    if (range && option.dataZoom) {
      option.dataZoom.forEach(z => { z.start = range[0].start; z.end = range[0].end; });
    }
    one.chart.setOption(option, true);
  };

  // What a picture cannot say to those who do not see it.
  const describe = one => {
    const { spec } = one;
    const title = one.figure.querySelector("h3").textContent;
    const parts = spec.kind === "heat" ? [] : seriesOf(spec, one.view).slice(0, 8).map(s => {
      const values = (s.points ? s.points.map(p => p[1]) : s.values).filter(v => v !== null);
      if (!values.length) return s.name + ": nothing";
      const [low, high] = values.reduce((r, v) => [Math.min(r[0], v), Math.max(r[1], v)], [Infinity, -Infinity]);
      return s.name + ": " + number(low) + " to " + number(high);
    });
    const plot = one.figure.querySelector(".plot");
    plot.setAttribute("aria-label", title + (spec.unit ? ", " + spec.unit : "") + ". " +
      parts.map(p => p + ". ").join("") + "Plus and minus zoom, arrows move, 0 shows all. The figures are under Table.");
  };
  // What the mouse can do, from the keyboard.
  const onKey = (one, event) => {
    const range = ((one.chart.getOption() || {}).dataZoom || [])[0];
    if (!range || event.ctrlKey || event.metaKey || event.altKey) return;
    const { start, end } = range;
    const span = end - start;
    const to = {
      "+": [start + span / 4, end - span / 4], "=": [start + span / 4, end - span / 4],
      "-": [start - span / 2, end + span / 2], "0": [0, 100],
      ArrowLeft: [start - span / 4, end - span / 4], ArrowRight: [start + span / 4, end + span / 4]
    }[event.key];
    if (!to) return;
    event.preventDefault();
    const width = Math.min(100, Math.max(0.5, to[1] - to[0]));
    const from = Math.min(100 - width, Math.max(0, to[0]));
    one.chart.dispatchAction({ type: "dataZoom", start: from, end: from + width });
  };

  // Charts over time show the same span: zooming one zooms all.
  const follow = one => {
    const range = one.chart.getOption().dataZoom[0];
    charts.filter(other => other !== one && other.spec.kind === "time").forEach(other => {
      const theirs = other.chart.getOption().dataZoom[0];
      if (theirs.start !== range.start || theirs.end !== range.end) {
        other.chart.dispatchAction({ type: "dataZoom", start: range.start, end: range.end });
      }
    });
  };

  // Views stand in one row of buttons, or in several rows whose last one changes first.
  const addViews = one => {
    const views = one.figure.querySelector(".views");
    const rows = one.spec.choices || [{ name: "", options: (one.spec.views || []).map(view => view.name) }];
    let width = 1;
    const widths = rows.map(row => row.options.length).reverse()
      .map(length => (width *= length) / length).reverse();
    rows.forEach((row, at) => {
      const line = document.createElement("span");
      if (row.name) line.append(row.name);
      const chosen = () => Math.floor(one.view / widths[at]) % row.options.length;
      row.options.forEach((name, index) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.setAttribute("aria-pressed", String(index === chosen()));
        button.addEventListener("click", () => {
          one.view += (index - chosen()) * widths[at];
          line.querySelectorAll("button").forEach((b, i) => b.setAttribute("aria-pressed", String(i === index)));
          draw(one);
          describe(one);
          if (one.figure.querySelector("details").open) fillTable(one);
        });
        line.append(button);
      });
      views.append(line);
    });
  };
  document.querySelectorAll("[data-chart]").forEach(figure => {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const chart = echarts.init(figure.querySelector(".plot"), null, { renderer: "canvas" });
    const one = { figure, spec, chart, view: spec.view || 0 };
    charts.push(one);
    addViews(one);
    draw(one);
    describe(one);
    figure.querySelector(".plot").addEventListener("keydown", event => onKey(one, event));
    figure.querySelector("details").addEventListener("toggle", event => {
      if (event.target.open) fillTable(one);
    });
    if (spec.kind === "time") {
      let waiting = false;
      chart.on("datazoom", () => {
        if (!waiting) {
          waiting = true;
          requestAnimationFrame(() => { waiting = false; follow(one); });
        }
      });
    }
  });

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
  const first = charts.find(one => one.spec.kind === "time");
  if (first) {
    const hint = document.createElement("p");
    hint.className = "note hint";
    hint.textContent = "Drag the handles below a chart to zoom, or press plus and minus on it; charts over time zoom together. " +
      "A click on a name hides its line.";
    first.figure.querySelector("details").before(hint);
  }

  const redraw = () => charts.forEach(one => { one.chart.resize(); draw(one); });
  let resizing = 0;
  window.addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(redraw, 100);
  });
  dark.addEventListener("change", redraw);
  window.addEventListener("beforeprint", () => {
    printing = true;
    charts.forEach(one => { one.chart.resize({ width: 690 }); draw(one); });
  });
  window.addEventListener("afterprint", () => { printing = false; redraw(); });
})();
