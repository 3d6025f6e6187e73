"use strict";
// Draws report, comparison, history and the live page from the JSON of what they show: head, sections, tables, charts.
const page = (() => {
  // Distinguishable with each kind of colour blindness: at least 24 in CIELAB between any two.
  const TYPES = {
    light: {
      NEW_ORDER: "#093b85", PAYMENT: "#c75000", ORDER_STATUS: "#1b8b5c", STOCK_LEVEL: "#4e00bd",
      DELIVERY: "#bd6fdf", DELIVERY_BG: "#7b8fa2", total: "#111820", headline: "#093b85"
    },
    dark: {
      NEW_ORDER: "#4479c6", PAYMENT: "#ff9a3c", ORDER_STATUS: "#30ed9d", STOCK_LEVEL: "#8158ff",
      DELIVERY: "#f6b3ff", DELIVERY_BG: "#8b726b", total: "#f2f5f8", headline: "#4479c6"
    }
  };
  const OTHERS = {
    light: ["#093b85", "#c75000", "#1b8b5c", "#4e00bd", "#bd6fdf", "#7b8fa2", "#a3123a", "#6b5b00"],
    dark: ["#4479c6", "#ff9a3c", "#30ed9d", "#8158ff", "#f6b3ff", "#8b726b", "#ff6b81", "#d8d36a"]
  };
  const PAPER = { "--text": "#000", "--muted": "#444", "--line": "#ccc", "--page": "#fff" };
  const FONT = "system-ui, sans-serif";
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let printing = false;

  const scheme = () => (dark.matches && !printing ? "dark" : "light");
  const style = name => (printing ? PAPER[name] : getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  // A key such as "s2" keeps its colour in views that lack other series.
  const colour = (key, index) => {
    const others = OTHERS[scheme()];
    return TYPES[scheme()][key] || others[(/^s\d+$/.test(key) ? Number(key.slice(1)) : index) % others.length];
  };

  // ---- elements ----

  // Attributes and children that are empty are left out.
  const set = (element, attributes, children) => {
    Object.entries(attributes).filter(([, value]) => value).forEach(([name, value]) => element.setAttribute(name, value === true ? "" : value));
    element.append(...children.flat().filter(child => child));
    return element;
  };
  const el = (tag, attributes, ...children) => set(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  // ---- numbers and texts ----

  const NONE = "–";
  const escape = text => String(text).replace(/[&<>"']/g, c => "&#" + c.charCodeAt(0) + ";");
  const isNone = value => value === null || value === undefined || Number.isNaN(value);
  const count = value => Math.round(value).toLocaleString("en-US");
  // Three digits that count, or all of a larger number's.
  const number = value => {
    if (isNone(value)) return NONE;
    return Math.abs(value) >= 1000 ? count(value) : value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
  };
  const percent = share => number(100 * share) + " %";
  const tick = value => {
    const size = Math.abs(value);
    const short = (unit, name) => Number((value / unit).toPrecision(6)) + name;
    return size >= 1e9 ? short(1e9, "G") : size >= 1e6 ? short(1e6, "M") : size >= 1e3 ? short(1e3, "k") : short(1, "");
  };
  const clock = seconds => {
    const s = Math.abs(Math.round(seconds));
    const two = n => String(n).padStart(2, "0");
    return (seconds <= -0.5 ? "−" : "") + (s >= 3600
      ? Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60)
      : Math.floor(s / 60) + ":" + two(s % 60));
  };

  // ---- the look of charts ----

  const option = () => ({
    animation: false,
    textStyle: { color: style("--text"), fontFamily: FONT },
    tooltip: {
      confine: true, transitionDuration: 0, backgroundColor: style("--page"), borderColor: style("--line"),
      textStyle: { color: style("--text"), fontSize: 13 }
    }
  });
  const axis = (name, extra) => Object.assign({
    name, nameTextStyle: { color: style("--muted"), align: "left" }, nameGap: 10,
    axisLabel: { color: style("--muted"), formatter: tick, hideOverlap: true },
    axisLine: { lineStyle: { color: style("--line") } }, axisTick: { show: false },
    splitLine: { lineStyle: { color: style("--line"), opacity: 0.7 } }, minorSplitLine: { show: false }
  }, extra);
  // Ticks at 1, 2 or 5 of a power of ten, five of them or a few less.
  const ticks = values => {
    const top = Math.max(0, ...values.filter(v => !isNone(v)));
    if (!(top > 0)) return {};
    const power = 10 ** Math.floor(Math.log10(top / 5));
    const interval = [1, 2, 5, 10].map(n => n * power).find(step => step * 5 >= top * (1 - 1e-9));
    return { interval, max: Math.ceil(top / interval - 1e-9) * interval };
  };
  // All names are shown, in as many rows as they need; the plot begins below them and grows by them.
  const ROW = 24;
  const ruler = document.createElement("canvas").getContext("2d");
  const legendRows = (names, width) => {
    ruler.font = "12px " + FONT;
    let rows = 1;
    let used = 0;
    names.forEach(name => {
      const item = ruler.measureText(name).width + 29;
      rows += used > 0 && used + item > width ? 1 : 0;
      used = used > 0 && used + item <= width ? used + item : item;
    });
    return rows;
  };
  const belowLegend = (names, width) => 30 + ROW * legendRows(names, width);
  const legend = () => ({
    top: 2, left: 0, right: 0, padding: [4, 0], itemGap: 10, icon: "roundRect", itemWidth: 12, itemHeight: 3,
    textStyle: { color: style("--text"), fontFamily: FONT, fontSize: 12 }, inactiveColor: style("--line")
  });
  const fit = (plot, chart, names) => {
    const width = plot.clientWidth;
    plot.style.height = "";
    const height = plot.clientHeight + ROW * Math.max(0, legendRows(names, width) - 2);
    plot.style.height = height + "px";
    if (height !== chart.getHeight() || width !== chart.getWidth()) chart.resize({ width, height });
    return width;
  };
  /** Rows of marker, name and value. */
  const tip = (title, rows) => "<b>" + escape(title) + "</b>" + rows.map(([marker, name, value]) =>
    "<div style='display:flex;justify-content:space-between;gap:16px'><span>" + marker + escape(name) +
    "</span><span>" + escape(value) + "</span></div>").join("");
  const tipRow = (item, value, unit) => [item.marker, item.seriesName, number(value) + (unit ? " " + unit : "")];

  // Calls back when size or colours have changed, and before and after printing.
  const onLook = redraw => {
    let resizing = 0;
    window.addEventListener("resize", () => {
      clearTimeout(resizing);
      resizing = setTimeout(redraw, 100);
    });
    dark.addEventListener("change", redraw);
    const onPaper = is => () => {
      printing = is;
      document.documentElement.classList.toggle("paper", is);
      // Those that a narrow window shows row by row are tables again.
      const [from, to] = is ? ["wide", "unfolded"] : ["unfolded", "wide"];
      document.querySelectorAll("table").forEach(table => table.classList.replace(from, to));
      redraw();
    };
    window.addEventListener("beforeprint", onPaper(true));
    window.addEventListener("afterprint", onPaper(false));
  };

  // ---- views and tables ----

  // A row of buttons of which one is pressed.
  const choice = (place, name, options, chosen, choose) => {
    const buttons = options.map((text, index) => {
      const button = el("button", { type: "button", "aria-pressed": String(index === chosen) }, text);
      button.addEventListener("click", () => {
        buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(i === index)));
        choose(index);
      });
      return button;
    });
    place.append(el("span", {}, name, buttons));
  };
  const MOST_ROWS = 5000;
  // A number stays with its unit: a line breaks before and after brackets and lists only.
  const unbroken = text => text.replace(/([^),;]) (?!\()/g, "$1\u00a0");
  // A name that is a path breaks at its slashes, where a table must be narrow.
  const pieces = name => String(name).split("/").flatMap((piece, i) => (i ? ["/", el("wbr", {}), piece] : [piece]));
  // A cell is a text, or a text and how it is graded.
  const cell = (given, column, isFirst) => {
    const [text, grade] = Array.isArray(given) ? given : [given, ""];
    const meter = column.align === "meter" && text &&
      el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: "width:" + text + "%" }));
    return el(isFirst ? "th" : "td", {
      scope: isFirst && "row", class: [column.align, grade].filter(name => name).join(" "), "data-column": column.name
    }, meter || (column.align === "meter" || !text ? "" : isFirst ? pieces(text) : column.align === "number" ? unbroken(String(text)) : text));
  };
  const fill = (table, { columns, rows }) => {
    table.tHead.replaceChildren(el("tr", {}, columns.map(column => el("th", { class: column.align, scope: "col" }, pieces(column.name)))));
    table.tBodies[0].replaceChildren(...rows.map(row =>
      el("tr", { class: row.style }, row.cells.map((given, i) => cell(given, columns[i], i === 0)))));
  };
  const tableOf = (block, caption) => {
    const table = el("table", { id: block.id, class: block.wide && "wide" }, caption, el("thead", {}), el("tbody", {}));
    fill(table, block);
    return table;
  };
  const numbers = (caption, head, rows) => {
    const shown = rows.slice(0, MOST_ROWS);
    return tableOf({
      columns: head.map(name => ({ name, align: "number" })), rows: shown.map(cells => ({ cells }))
    }, el("caption", {}, caption + (shown.length < rows.length ? ", the first " + count(MOST_ROWS) + " rows" : "")));
  };
  // Made when it is opened; a change of the figures fills it again.
  const onTable = (figure, fill) => {
    const details = figure.querySelector("details");
    const filled = () => {
      if (details.open) {
        details.querySelector(".data").replaceChildren(fill());
        reachable(details.querySelector(".data"));
      }
    };
    details.addEventListener("toggle", filled);
    return filled;
  };
  // What is wider or higher than its place is set closer, and can be moved from the keyboard too. On paper nothing moves: it is set smaller.
  const reachable = place => {
    const isWider = () => place.scrollWidth > place.clientWidth + 1;
    place.classList.remove("tight", "narrow");
    place.style.zoom = "";
    if (printing) {
      // Small type is easier to read than broken names, to a point.
      place.classList.toggle("narrow", place.clientWidth < 0.75 * place.scrollWidth);
      if (isWider()) place.style.zoom = (place.clientWidth - 1) / place.scrollWidth;
      return;
    }
    place.classList.toggle("tight", isWider());
    const more = isWider() || place.scrollHeight > place.clientHeight + 1;
    const caption = place.querySelector("caption");
    if (!more || !caption) {
      ["tabindex", "role", "aria-label"].forEach(name => place.removeAttribute(name));
      return;
    }
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", caption.textContent + ", can be scrolled");
  };
  const allReachable = () => document.querySelectorAll(".scroll").forEach(reachable);

  // ---- zoom ----

  const LEAST_SPAN = 0.5;
  const LEAST_DRAG = 6;
  // Dragging over the plot shows what was dragged over, a double click shows all; the same from the keyboard. A finger is left
  // to scroll the page. zoom.range() is [start, end] in percent of all, zoom.set(start, end) changes it.
  const zoomable = (figure, chart, zoom) => {
    const plot = figure.querySelector(".plot");
    const mark = el("div", { class: "selection", hidden: true });
    plot.prepend(mark);
    const whole = el("button", { type: "button", class: "whole", hidden: true }, "Show all");
    figure.querySelector(".views").before(whole);

    const refresh = () => {
      const [start, end] = zoom.range();
      whole.hidden = start <= 0 && end >= 100;
    };
    const zoomTo = (start, end) => {
      const span = Math.min(100, Math.max(LEAST_SPAN, end - start));
      const from = Math.min(100 - span, Math.max(0, start));
      zoom.set(from, from + span);
      refresh();
    };
    const area = () => chart.getModel().getComponent("grid").coordinateSystem.getRect();
    const inside = (box, x, y) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    const place = event => {
      const box = plot.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let pressedAt = null;
    const selected = event => {
      const box = area();
      const clamp = x => Math.min(box.x + box.width, Math.max(box.x, x));
      const ends = [clamp(pressedAt), clamp(place(event)[0])];
      return [Math.min(...ends), Math.max(...ends), box];
    };
    const stop = () => {
      pressedAt = null;
      mark.hidden = true;
      document.documentElement.classList.remove("selecting");
    };
    plot.addEventListener("pointerdown", event => {
      if (event.pointerType === "touch" || event.button !== 0) return;
      const [x, y] = place(event);
      if (inside(area(), x, y)) pressedAt = x;
    });
    // On the window: the button may be let go anywhere.
    window.addEventListener("pointermove", event => {
      if (pressedAt === null) return;
      if (!(event.buttons & 1)) {
        stop();
        return;
      }
      const [left, right, box] = selected(event);
      mark.hidden = right - left < LEAST_DRAG;
      document.documentElement.classList.toggle("selecting", !mark.hidden);
      Object.assign(mark.style, { left: left + "px", width: right - left + "px", top: box.y + "px", height: box.height + "px" });
    });
    window.addEventListener("pointerup", event => {
      if (pressedAt === null) return;
      const [left, right, box] = selected(event);
      stop();
      if (right - left < LEAST_DRAG) return;
      const [start, end] = zoom.range();
      const at = x => start + (x - box.x) / box.width * (end - start);
      zoomTo(at(left), at(right));
    });
    window.addEventListener("pointercancel", stop);
    plot.addEventListener("dblclick", event => {
      if (inside(area(), ...place(event))) zoomTo(0, 100);
    });
    whole.addEventListener("click", () => {
      zoomTo(0, 100);
      plot.focus({ preventScroll: true }); // the button goes away
    });
    plot.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") stop();
      const [start, end] = zoom.range();
      const span = end - start;
      const to = {
        "+": [start + span / 4, end - span / 4], "=": [start + span / 4, end - span / 4],
        "-": [start - span / 2, end + span / 2], "0": [0, 100],
        ArrowLeft: [start - span / 4, end - span / 4], ArrowRight: [start + span / 4, end + span / 4]
      }[event.key];
      if (!to) return;
      event.preventDefault();
      zoomTo(...to);
    });
    return refresh;
  };

  // ---- charts ----

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
  // Of a run that goes on: the seconds that are shown, the same in all charts; null for all there is, which grows.
  let span = null;

  const percentile = oneIn =>
    oneIn <= 1 ? "0 %" : Number((100 - 100 / oneIn).toPrecision(Math.max(2, Math.ceil(Math.log10(oneIn)) + 1))) + " %";
  const seriesOf = (spec, view) => (spec.views ? spec.views[view].series : spec.series) || [];
  const unitOf = (spec, view) => (spec.views && spec.views[view].unit) || spec.unit;
  const zooms = spec => spec.kind !== "steps" && (spec.kind !== "lines" || spec.steps.length > FEW_STEPS);

  // The chart library stacks along the wrong one of two value axes, so the sums are made here.
  const upTo = (series, last, at) =>
    series.slice(0, last + 1).reduce((sum, s) => sum + (s.values[at] || 0), 0);

  const legendOf = off => Object.assign(legend(), { selected: Object.fromEntries([...off].map(name => [name, false])) });
  // Steps of a clock, about eight of them.
  const timeStep = seconds => [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000]
    .find(step => seconds / step <= 9) || Math.ceil(seconds / 8 / 36000) * 36000;
  // Charts over time zoom together, so the first one has the handles for all of them.
  let brush = null;
  const hasSlider = spec => zooms(spec) && !spec.grows && !printing && (spec.kind !== "time" || spec === brush);
  // The plot's place: names above, the axis and what else is under it below.
  const grid = (spec, series, width, right, below) => ({
    left: 8, right, top: belowLegend(series.map(s => s.name), width), bottom: below + (hasSlider(spec) ? SLIDER + 8 : 0)
  });
  const zoom = spec => (!zooms(spec) || spec.grows ? undefined : [
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

  const rampUpOf = (first, end) => (first >= 0 || end <= first ? undefined : {
    silent: true, itemStyle: { color: "rgba(128,140,155,.12)" },
    label: { color: style("--muted"), position: "insideTopLeft" },
    data: [[{ name: "ramp-up", xAxis: first }, { xAxis: Math.min(0, end) }]]
  });
  // The seconds of the whole chart; negative ones are of the ramp-up.
  const extent = spec => [spec.first || 0, spec.seconds];
  const isLonely = (values, at) => !isNone(values[at]) && isNone(values[at - 1]) && isNone(values[at + 1]);
  const timeOf = (spec, seconds) => clock(seconds) + (spec.width > 1 ? " – " + clock(seconds + spec.width) : "");

  const options = {
    time(spec, view, width, off) {
      const series = seriesOf(spec, view);
      const unit = unitOf(spec, view);
      const shown = series.filter(s => !off.has(s.name));
      const [first, end] = extent(spec);
      const [from, to] = spec.grows && span || [first, end];
      const onEdge = { onZero: false, lineStyle: { color: style("--line") } };
      return Object.assign(option(), {
        legend: legendOf(off),
        grid: grid(spec, series, width, 14, 24),
        dataZoom: zoom(spec),
        xAxis: axis("", Object.assign({
          type: "value", min: from, max: to, splitLine: { show: false }, axisLine: onEdge,
          axisLabel: Object.assign({ color: style("--muted"), formatter: clock, hideOverlap: true }, spec.grows ? { showMinLabel: !span, showMaxLabel: false } : {})
        }, spec.grows ? { minInterval: 1 } : { interval: timeStep(end) })),
        // Room above the lines for the word in the ramp-up.
        yAxis: axis(unit, Object.assign(
          { type: "value", min: 0, axisLine: onEdge },
          ticks(spec.max ? [spec.max] : shown.flatMap(s => s.values).map(v => (first < 0 ? 1.12 : 1) * v)), spec.max ? { max: spec.max } : {})),
        tooltip: Object.assign(option().tooltip, {
          trigger: "axis",
          formatter: items => tip(timeOf(spec, items[0].value[0]), items.map(i => tipRow(i, i.value[2], unit)))
        }),
        series: series.map((s, i) => ({
          name: s.name, type: "line", showSymbol: spec.grows || s.values.length < 3, symbol: spec.grows ? "none" : "emptyCircle",
          symbolSize: 5, connectNulls: !!spec.sampled,
          color: colour(s.key, i), lineStyle: { width: spec.stack ? 0.5 : s.key === "total" ? 2.2 : 1.7 },
          // Areas on top of each other must keep the same points.
          sampling: spec.stack || spec.grows ? undefined : "lttb", z: spec.stack ? 2 + series.length - i : 2,
          areaStyle: spec.stack ? { opacity: 1 } : undefined, emphasis: { disabled: true },
          markLine: lineOf(spec, s, i), markArea: i === 0 ? eventsOf(spec) || rampUpOf(first, end) : undefined,
          data: s.values.map((v, at) => {
            const value = [first + at * spec.width, isNone(v) ? null : spec.stack ? Math.min(spec.max, upTo(series, i, at)) : v, v];
            // A point between two gaps has no line.
            return spec.grows && isLonely(s.values, at) ? { value, symbol: "circle" } : value;
          })
        }))
      });
    },
    curve(spec, view, width, off) {
      const series = seriesOf(spec, view);
      return Object.assign(option(), {
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
        tooltip: Object.assign(option().tooltip, {
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
      return Object.assign(option(), {
        legend: legendOf(off),
        grid: grid(spec, series, width, 14, 24),
        xAxis: axis("", {
          type: "category", data: spec.steps, boundaryGap: true, splitLine: { show: false },
          axisLabel: { color: style("--muted") }
        }),
        yAxis: axis(spec.unit, Object.assign(
          { type: "value", min: 0 }, ticks(series.filter(s => !off.has(s.name)).flatMap(s => s.values)))),
        tooltip: Object.assign(option().tooltip, {
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
      return Object.assign(option(), {
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
        tooltip: Object.assign(option().tooltip, {
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
      return Object.assign(option(), {
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
          textStyle: { color: style("--muted") }, inRange: { color: HEAT[scheme()] }, formatter: () => ""
        },
        tooltip: Object.assign(option().tooltip, {
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
      const [head, rows] = columns("time", Array.from({ length }, (_, i) => timeOf(spec, extent(spec)[0] + i * spec.width)), series);
      return [head, spec.grows ? rows.reverse() : rows]; // the newest first: they are what is watched
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
        spec.cells.map(c => [clock(c[0] * spec.width), edges[c[1]], count(c[2])])];
    }
  };
  // What is shown, with the name of the chosen view.
  const titleOf = one => one.title + (one.spec.views && one.spec.views[one.view].name ? ", " + one.spec.views[one.view].name : "");
  const withUnit = one => titleOf(one) + (unitOf(one.spec, one.view) ? ", " + unitOf(one.spec, one.view) : "");
  const fillTable = one => numbers(withUnit(one), ...tables[one.spec.kind](one.spec, one.view));
  // What a picture cannot say to those who do not see it.
  const describe = one => {
    const parts = seriesOf(one.spec, one.view).slice(0, 8).map(s => {
      const known = (s.points ? s.points.map(p => p[1]) : s.values).filter(v => !isNone(v));
      if (!known.length) return s.name + ": nothing. ";
      const [low, high] = known.reduce((r, v) => [Math.min(r[0], v), Math.max(r[1], v)], [Infinity, -Infinity]);
      return s.name + ": " + number(low) + " to " + number(high) + ". ";
    });
    one.plot.setAttribute("aria-label", "Chart: " + withUnit(one) + ". " + parts.join("") +
      (zooms(one.spec) ? "Plus and minus zoom, arrows move, 0 shows all. " : "") + "The figures are under Table.");
  };

  const rangeOf = one => {
    if (one.spec.grows) {
      const [first, end] = extent(one.spec);
      return span ? span.map(seconds => 100 * (seconds - first) / (end - first)) : [0, 100];
    }
    const first = ((one.chart.getOption() || {}).dataZoom || [])[0];
    return first ? [first.start, first.end] : [0, 100];
  };
  // Silently: a chart that is zoomed by another one must not zoom others in turn. Else a chart that lags by a frame would send the one under
  // the pointer back to where it was.
  const zoomTo = (one, start, end) => {
    if (one.spec.grows) {
      const [first, last] = extent(one.spec);
      span = start <= 0 && end >= 100 ? null : [start, end].map(share => first + share / 100 * (last - first));
      draw(one);
    } else {
      one.chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, start, end }, { silent: true });
    }
    one.zoomed();
  };
  // Charts over time show the same span: zooming one zooms all.
  const group = one => (one.spec.kind === "time" ? charts.filter(other => other.spec.kind === "time") : [one]);

  const draw = one => {
    describe(one);
    if (!one.plot.clientWidth) return; // folded
    const [start, end] = rangeOf(one);
    const drawn = options[one.spec.kind](one.spec, one.view, fit(one.plot, one.chart, seriesOf(one.spec, one.view).map(s => s.name)), one.off);
    if (drawn.dataZoom) drawn.dataZoom.forEach(z => Object.assign(z, { start, end }));
    one.chart.setOption(drawn, true);
  };

  // Views stand in one row of buttons, or in several rows whose last one changes first.
  const addViews = one => {
    const rows = one.spec.choices || [{ name: "", options: (one.spec.views || []).map(view => view.name) }];
    let width = 1;
    const widths = rows.map(row => row.options.length).reverse()
      .map(length => (width *= length) / length).reverse();
    rows.forEach((row, at) => {
      const chosen = () => Math.floor(one.view / widths[at]) % row.options.length;
      choice(one.figure.querySelector(".views"), row.name, row.options, chosen(), index => {
        one.view += (index - chosen()) * widths[at];
        draw(one);
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

  // ---- blocks, sections and the page ----

  const heading = text => text && el("h3", {}, text);
  const note = text => text && el("p", { class: "note" }, text);
  // Charts that are in no document yet, which have no size.
  let unborn = [];
  const chart = (block, level) => {
    const figure = el("figure", { class: "chart", id: block.id, "aria-label": block.title, "data-chart": true },
      el("figcaption", {}, el(level, {}, block.title), el("span", { class: "views", role: "group", "aria-label": "Views of " + block.title })),
      el("div", { class: ("plot " + block.size).trim(), role: "img", tabindex: "0", "aria-label": block.title }),
      note(block.note),
      el("details", {}, el("summary", { "aria-label": "Table of " + block.title }, "Table"), el("div", { class: "scroll data" })));
    unborn.push([figure, block]);
    return figure;
  };
  const BLOCKS = {
    Table: (block, title) => [
      heading(block.caption), el("div", { class: "scroll" }, tableOf(block, el("caption", { class: "unseen" }, block.caption || title)))],
    Chart: block => chart(block, "h3"),
    PageNote: block => note(block.text),
    Items: block => el("ul", { class: "plain" }, block.items.map(item => el("li", {}, item))),
    Verbatim: block => [heading(block.caption), el("pre", {}, block.text)]
  };
  const section = ({ id, title, intro, blocks, folded }) => {
    const head = el("h2", { id: id + "-title" }, title);
    const content = [intro && el("p", { class: "intro" }, intro)].concat(blocks.map(block => BLOCKS[block.block](block, title)).flat());
    return el("section", { id, "aria-labelledby": id + "-title" },
      folded ? el("details", { class: "fold" }, el("summary", {}, head), content) : [head].concat(content));
  };

  const startChart = ([figure, { title, spec }]) => {
    const plot = figure.querySelector(".plot");
    if (spec.kind === "time" && !spec.grows && !brush) brush = spec;
    const drawing = echarts.init(plot, null, { renderer: "canvas", width: plot.clientWidth || 600 });
    // Nobody waits for a delivery in the background; a click on its name shows it.
    const one = { figure, plot, title, spec, chart: drawing, view: spec.view || 0, off: new Set(spec.hidden ? [spec.hidden] : []), zoomed: () => {} };
    charts.push(one);
    drawing.on("legendselectchanged", change => {
      one.off = new Set(Object.keys(change.selected).filter(name => !change.selected[name]));
      draw(one);
    });
    one.refillTable = onTable(figure, () => fillTable(one));
    addViews(one);
    draw(one);
    if (zooms(spec)) {
      one.zoomed = zoomable(figure, drawing, {
        range: () => rangeOf(one),
        set: (start, end) => group(one).forEach(other => zoomTo(other, start, end))
      });
      leadOthers(one);
    }
  };
  // Puts elements on the page and draws their charts, which have a size there.
  const place = (parent, ...elements) => {
    parent.append(...elements);
    unborn.forEach(startChart);
    unborn = [];
  };
  /** Draws a chart that is on the page anew. */
  const update = (id, spec) => charts.filter(one => one.figure.id === id).forEach(one => {
    one.spec = spec;
    draw(one);
    one.refillTable();
  });

  const figureOf = ({ name, value, unit, note, main, bad }) =>
    el("div", { class: "figure" + (main ? " main" : "") + (bad ? " bad" : "") },
      el("dt", {}, name), el("dd", {}, value, unit && [" ", el("small", {}, unit)]), note && el("dd", { class: "note" }, note));
  const verdictOf = ({ grade, subject, text }) => el("li", { class: grade },
    el("span", { class: "mark", "aria-hidden": "true" }),
    el("strong", {}, el("span", { class: "unseen" }, grade + ": "), subject), " ", el("span", {}, text));
  // A small line over time in a box of 300 by 60, in as many pieces as it has between gaps.
  const curveOf = ({ title, range, values }) => {
    const most = Math.max(0, ...values) || 1;
    const pieces = [];
    values.forEach((v, i) => {
      if (isNone(v)) return;
      if (i === 0 || isNone(values[i - 1])) pieces.push([]);
      pieces[pieces.length - 1].push([300 * (i + 0.5) / values.length, 59 - 58 * v / most].map(n => n.toFixed(1)));
    });
    return el("figure", { "aria-label": title }, el("figcaption", {}, title + " ", el("span", { class: "range" }, range)),
      svg("svg", { viewBox: "0 0 300 60", preserveAspectRatio: "none", role: "img", "aria-label": title + ": " + range },
        pieces.map(piece => (piece.length > 1 ? svg("polyline", { points: piece.map(at => at.join()).join(" ") })
          : svg("circle", { cx: piece[0][0], cy: piece[0][1], r: "1.5" })))));
  };
  const MOST_LINKS = 8;
  // Links to the first open sections, and one to the first of the others near their end.
  const linked = sections => {
    const open = sections.filter(one => !one.folded).slice(0, MOST_LINKS - 1);
    const more = sections.slice(open.length < 2 ? 0 : sections.indexOf(open[open.length - 2])).find(one => !open.includes(one));
    return sections.length <= MOST_LINKS ? sections : sections.filter(one => open.includes(one) || one === more)
      .map(one => (one === more ? { id: one.id, title: "More" } : one));
  };

  // Nothing that is folded has a size; what is linked to is opened.
  const watchFolds = () => {
    document.querySelectorAll(".fold").forEach(fold => fold.addEventListener("toggle", () => {
      if (!fold.open) return;
      const shown = charts.find(one => one.spec === brush);
      charts.filter(one => fold.contains(one.figure)).forEach(one => {
        draw(one);
        if (one.spec.kind === "time" && shown && shown !== one) zoomTo(one, ...rangeOf(shown));
      });
      allReachable();
    }));
    const unfold = () => {
      const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
      const fold = target && (target.querySelector(":scope > .fold") || target.closest(".fold"));
      if (fold) fold.open = true;
    };
    window.addEventListener("hashchange", unfold);
    document.querySelectorAll("nav a").forEach(a => a.addEventListener("click", () => setTimeout(unfold)));
    unfold();
  };
  // The section that is being read is marked among the links.
  const watchReading = () => {
    const links = new Map([...document.querySelectorAll("nav a")].map(a => [a.hash.slice(1), a]));
    const seen = new Set();
    const reading = new IntersectionObserver(entries => {
      entries.forEach(e => (e.isIntersecting ? seen.add(e.target.id) : seen.delete(e.target.id)));
      const current = [...links.keys()].find(id => seen.has(id));
      links.forEach((a, id) => (id === current ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current")));
    }, { rootMargin: "-80px 0px -50% 0px" });
    document.querySelectorAll("main section").forEach(one => reading.observe(one));
  };
  // Said once, and only where there is somebody to do it.
  const addHint = () => {
    const first = charts.find(one => zooms(one.spec));
    if (!first) return;
    const how = window.matchMedia("(pointer: coarse)").matches
      ? "Move the handles below a chart to zoom"
      : "Drag over a chart to zoom, double-click to see all again; or move the handles below it, or press plus, minus and 0 on it";
    first.figure.querySelector("details").before(el("p", { class: "note hint" },
      how + (first.spec.kind === "time" ? "; charts over time zoom together. " : ". ") + "A click on a name hides its line."));
  };

  /** Draws a page that does not change: its head, then one section after the other. */
  const show = model => {
    document.title = model.title;
    document.querySelector("header").append(
      el("p", { class: "kicker" }, model.kicker), el("h1", {}, model.heading), el("p", { class: "sub" }, model.subtitle),
      el("ul", { class: "verdicts", "aria-label": "Verdicts" }, model.verdicts.map(verdictOf)),
      el("dl", { class: "figures" }, model.figures.map(figureOf)),
      ...(model.curves.length ? [el("div", { class: "curves" }, model.curves.map(curveOf))] : []),
      ...model.warnings.map(text => el("p", { class: "warning", role: "note" }, text)));
    document.querySelector("nav").append(el("ul", {}, linked(model.sections).map(one =>
      el("li", {}, el("a", { href: "#" + one.id }, one.title)))));
    document.querySelector("footer").append(el("p", {}, model.footer));
    place(document.querySelector("main"), ...model.sections.map(section));
    watchFolds();
    watchReading();
    addHint();
  };

  const model = document.getElementById("page");
  if (model) show(JSON.parse(model.textContent));
  allReachable();
  onLook(() => {
    charts.forEach(draw);
    allReachable();
  });
  return { NONE, count, number, percent, clock, el, fill, chart, place, update, figureOf, allReachable };
})();
