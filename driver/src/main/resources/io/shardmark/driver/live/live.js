"use strict";
// Asks the driver once a second and shows what it answers. Points of the history that are here already are not sent again.
(() => {
  const TYPES = {
    light: {
      NEW_ORDER: "#2563eb", PAYMENT: "#d97706", ORDER_STATUS: "#059669", STOCK_LEVEL: "#7c3aed",
      DELIVERY: "#db2777", DELIVERY_BG: "#6b7280", total: "#1c2430"
    },
    dark: {
      NEW_ORDER: "#6ea0ff", PAYMENT: "#f5a742", ORDER_STATUS: "#34d399", STOCK_LEVEL: "#b79cff",
      DELIVERY: "#f472b6", DELIVERY_BG: "#9aa5b1", total: "#e4e8ed"
    }
  };
  const OTHERS = {
    light: ["#2563eb", "#d97706", "#059669", "#7c3aed", "#db2777", "#6b7280", "#0891b2", "#65a30d"],
    dark: ["#6ea0ff", "#f5a742", "#34d399", "#b79cff", "#f472b6", "#9aa5b1", "#22d3ee", "#a3e635"]
  };
  const PERIOD = 1000;
  const PERIOD_AFTERWARDS = 5000;
  const MISSES_UNTIL_LOST = 3;
  const PHASES = {
    starting: "starting", ramp_up: "ramp-up", measuring: "measuring", ending: "ending", over: "over", lost: "connection lost"
  };
  const viewer = Math.random().toString(36).slice(2);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const scheme = () => (dark.matches ? "dark" : "light");
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const at = id => document.getElementById(id);
  const escape = text => String(text).replace(/[&<>"']/g, c => "&#" + c.charCodeAt(0) + ";");

  const count = value => Math.round(value).toLocaleString("en-US");
  const number = value => {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    const size = Math.abs(value);
    const digits = size === 0 || size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    return value.toLocaleString("en-US", { maximumFractionDigits: digits });
  };
  const percent = share => number(100 * share) + " %";
  const tick = value => {
    const size = Math.abs(value);
    if (size >= 1e9) return value / 1e9 + "G";
    if (size >= 1e6) return value / 1e6 + "M";
    if (size >= 1e4) return value / 1e3 + "k";
    return String(Number(value.toPrecision(6)));
  };
  const clock = seconds => {
    const s = Math.abs(Math.round(seconds));
    const two = n => String(n).padStart(2, "0");
    return (seconds <= -0.5 ? "−" : "") + (s >= 3600
      ? Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60)
      : Math.floor(s / 60) + ":" + two(s % 60));
  };

  let facts = null;
  let history = null;
  let latest = null;
  let over = false;
  let misses = 0;

  // ---- history ----

  const append = part => {
    const join = (old, added) => {
      const joined = {};
      for (const [name, value] of Object.entries(added)) {
        if (!Array.isArray(value)) joined[name] = value;
        else if (value.length && typeof value[0] === "object") joined[name] = value.map((v, i) => join(old && old[name] ? old[name][i] : null, v));
        else joined[name] = (old && old[name] || []).slice(0, part.from).concat(value);
      }
      return joined;
    };
    history = join(part.from > 0 ? history : null, part);
  };

  // ---- charts ----

  const base = () => ({
    animation: false,
    textStyle: { color: style("--text"), fontFamily: "system-ui, sans-serif" },
    grid: { left: 8, right: 12, top: 46, bottom: 8, containLabel: true },
    legend: {
      type: "scroll", top: 2, left: 0, right: 0, padding: [4, 0], icon: "roundRect", itemWidth: 12, itemHeight: 3,
      textStyle: { color: style("--text") }, pageTextStyle: { color: style("--muted") },
      pageIconColor: style("--muted"), inactiveColor: style("--line")
    },
    tooltip: {
      trigger: "axis", confine: true, backgroundColor: style("--page"), borderColor: style("--line"),
      textStyle: { color: style("--text"), fontSize: 13 }
    }
  });
  const axis = (name, extra) => Object.assign({
    type: "value", name, nameTextStyle: { color: style("--muted"), align: "left" }, nameGap: 10, min: 0,
    axisLabel: { color: style("--muted"), formatter: tick, hideOverlap: true },
    // Left and below, also where the ramp-up has negative times.
    axisLine: { onZero: false, lineStyle: { color: style("--line") } }, axisTick: { show: false },
    splitLine: { lineStyle: { color: style("--line"), opacity: 0.7 } }
  }, extra);

  const ofTypes = figure => facts.types.map((type, i) => ({ key: type.name, name: type.name, values: history.types[i][figure] }));
  const shown = series => series.filter(s => s.values.some(v => v > 0));
  const CHARTS = {
    throughput: [
      { name: "tpmC and tpmTOTAL", unit: "per minute", series: () => [
        { key: "NEW_ORDER", name: "tpmC", values: history.tpmC }, { key: "total", name: "tpmTOTAL", values: history.tpmTotal }] },
      { name: "by type", unit: "per minute", series: () => shown(ofTypes("perMinute")) }
    ],
    latency: [
      { name: "p95", unit: "ms", series: () => shown(ofTypes("p95Millis")) },
      { name: "p50", unit: "ms", series: () => shown(ofTypes("p50Millis")) },
      { name: "p99", unit: "ms", series: () => shown(ofTypes("p99Millis")) }
    ],
    "shard-rates": [
      { unit: "per minute", series: () => facts.shards.map((name, i) => ({ name, values: history.shards[i].perMinute })) }
    ],
    failures: [
      { unit: "per second", series: () => [
        { key: "DELIVERY", name: "errors", values: history.errorsPerSecond },
        { key: "PAYMENT", name: "retries", values: history.retriesPerSecond }] }
    ],
    client: [
      { name: "processors", unit: "cores", series: () => [
        { name: "processors used", values: history.clientCores },
        { name: "in garbage collection", values: history.clientGcShare }] },
      { name: "connections", unit: "connections", series: () => [
        { name: "in use", values: history.connectionsInUse }, { name: "workers waiting", values: history.connectionsWaitedFor }] },
      { name: "connection wait", unit: "ms", series: () => [
        { name: "mean wait for a connection", values: history.connectionWaitMillis }] }
    ]
  };
  const charts = {};

  const draw = one => {
    const view = one.views[one.view];
    const width = history.width;
    const first = history.firstSecond;
    const series = view.series();
    const end = first + Math.max(1, history.size) * width;
    one.chart.setOption(Object.assign(base(), {
      xAxis: axis("", {
        min: first, max: end, splitLine: { show: false },
        axisLabel: { color: style("--muted"), formatter: clock, hideOverlap: true, showMaxLabel: false }
      }),
      yAxis: axis(view.unit),
      tooltip: Object.assign(base().tooltip, {
        formatter: items => "<b>" + clock(items[0].value[0]) + (width > 1 ? " – " + clock(items[0].value[0] + width) : "") + "</b>" +
          items.map(item => "<div style='display:flex;justify-content:space-between;gap:16px'><span>" + item.marker + escape(item.seriesName) +
            "</span><span>" + number(item.value[1]) + " " + escape(view.unit) + "</span></div>").join("")
      }),
      series: series.map((s, i) => ({
        name: s.name, type: "line", showSymbol: s.values.length < 2, symbolSize: 5, emphasis: { disabled: true },
        color: TYPES[scheme()][s.key] || OTHERS[scheme()][i % OTHERS[scheme()].length],
        lineStyle: { width: s.key === "total" ? 2 : 1.5 },
        markArea: i === 0 && first < 0 && end > first ? {
          silent: true, itemStyle: { color: "rgba(128,140,155,.12)" },
          label: { color: style("--muted"), position: "insideTopLeft" },
          data: [[{ name: "ramp-up", xAxis: first }, { xAxis: Math.min(0, end) }]]
        } : undefined,
        data: s.values.map((v, n) => [first + n * width, v])
      }))
    }), true);
  };

  const addChart = id => {
    const figure = at(id);
    const views = CHARTS[id];
    const one = { views, view: 0, chart: echarts.init(figure.querySelector(".plot"), null, { renderer: "canvas" }) };
    charts[id] = one;
    const buttons = figure.querySelector(".views");
    if (!buttons || views.length < 2) return;
    views.forEach((view, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = view.name;
      button.setAttribute("aria-pressed", String(index === 0));
      button.addEventListener("click", () => {
        one.view = index;
        [...buttons.children].forEach((b, i) => b.setAttribute("aria-pressed", String(i === index)));
        draw(one);
      });
      buttons.append(button);
    });
  };
  const drawAll = () => { if (history) Object.values(charts).forEach(draw); };

  // ---- figures and tables ----

  const fill = (id, head, rows) => {
    const cell = (tag, c) => {
      const value = Array.isArray(c) ? c : [c, ""];
      return "<" + tag + (value[1] ? " class='" + value[1] + "'" : "") + ">" + escape(value[0]) + "</" + tag + ">";
    };
    at(id).tHead.innerHTML = "<tr>" + head.map(h => cell("th", h)).join("") + "</tr>";
    at(id).tBodies[0].innerHTML = rows.map(r => "<tr>" + r.map(c => cell("td", c)).join("") + "</tr>").join("");
  };
  const figure = (name, value, unit, note, style) =>
    "<div class='figure " + (style || "") + "'><dt>" + escape(name) + "</dt><dd>" + escape(value) +
    (unit ? " <small>" + escape(unit) + "</small>" : "") + "</dd><dd class='note'>" + escape(note) + "</dd></div>";

  const showFigures = now => {
    const measured = now.measured;
    const result = now.result;
    const period = now.phase === "ramp_up" || now.phase === "starting" ? "in the ramp-up" : "since measuring began";
    const all = measured.errors + measured.transactions;
    at("figures").innerHTML = result
      ? figure("tpmC", number(result.tpmC), "", "of the whole interval", "main") +
        figure("tpmTOTAL", number(result.tpmTotal), "", "of the whole interval", "main") +
        figure("transactions", count(result.transactions), "", "successes") +
        figure("p95, last seconds", number(now.now.p95Millis), "ms", "all types") +
        figure("failed", count(result.errors), "", "transactions", result.errors ? "bad" : "") +
        figure("retries", count(measured.retries), "", "")
      : figure("tpmC now", count(now.now.tpmC), "", "average " + count(measured.tpmC), "main") +
        figure("tpmTOTAL now", count(now.now.tpmTotal), "", "average " + count(measured.tpmTotal), "main") +
        figure("transactions", count(measured.transactions), "", period) +
        figure("p95 now", number(now.now.p95Millis), "ms", "all types") +
        figure("failed", count(measured.errors), "", percent(all ? measured.errors / all : 0) + " of transactions", measured.errors ? "bad" : "") +
        figure("retries", count(measured.retries), "", "of transactions");
  };

  const showTables = now => {
    const millis = (figures, name) => figures.count ? number(figures[name]) : "–";
    const distributed = now.types.some(t => t.distributedShare > 0);
    fill("types",
      ["type", "count", "per minute", "p50 ms", "p95 ms", "p99 ms", "max ms", "now: p95", "now: p99", "failed", "retries"]
        .concat(distributed ? ["distributed"] : []),
      now.types.map(t => [t.name, count(t.count), count(t.perMinute),
        millis(t.totalMillis, "p50"), millis(t.totalMillis, "p95"), millis(t.totalMillis, "p99"), millis(t.totalMillis, "max"),
        millis(t.recentMillis, "p95"), millis(t.recentMillis, "p99"),
        [count(t.errors), t.errors ? "bad" : ""], count(t.retries)].concat(distributed ? [percent(t.distributedShare)] : [])));
    at("types-note").textContent = "Latencies of successes, from due to done" +
      (now.phase === "ramp_up" ? ", of the ramp-up" : ", since measuring began") + "; now: the last 5 to 10 s.";
    at("shards-section").hidden = at("shard-rates").hidden = !facts.shards.length;
    if (facts.shards.length) {
      fill("shards", ["shard", "per minute", "share"], now.shards.map(s => [s.name, count(s.perMinute), percent(s.share)]));
    }
    fill("errors", now.errors.length ? ["type", ["class", "text"], ["SQLSTATE", "text"], "count", "tried again", "outside", ["example", "text"]] : [],
      now.errors.map(e => [e.type, [e.disposition, "text"], [e.sqlState || "–", "text"], count(e.count), count(e.retried), count(e.outside), [e.example, "prose"]]));
    const client = now.client;
    const connections = now.connections;
    at("client-note").textContent = number(client.cores) + " of " + client.coresAvailable + " processors, " + percent(client.gcShare) +
      " in garbage collection, heap " + count(client.heapUsedBytes / 1048576) + " MB. Connections: " + count(connections.inUse) + " in use, " +
      count(connections.idle) + " idle, " + count(connections.waitedFor) + " workers waiting, mean wait " + number(connections.waitMillis) + " ms.";
  };

  const showPhase = (phase, text) => {
    at("phase").textContent = PHASES[phase] || phase;
    at("phase").className = "pill " + phase;
    if (text !== undefined) at("when").textContent = text;
    document.title = (PHASES[phase] || phase) + " · " + (latest ? count(latest.now.tpmC) + " tpmC · " : "") + "Shardmark";
  };
  const showProgress = now => {
    const total = facts.seconds ? facts.rampUpSeconds + facts.seconds : 0;
    const share = now.phase === "over" ? 1
      : total ? Math.min(1, 1 - (now.secondsLeft || 0) / total)
        : facts.transactions ? Math.min(1, now.now.transactions / facts.transactions) : 0;
    at("progress").firstElementChild.style.width = (100 * share).toFixed(1) + "%";
    at("progress").setAttribute("aria-valuenow", Math.round(100 * share));
    showPhase(now.phase, now.phase === "over" ? now.result.ending
      : clock(now.sinceStartSeconds) + " since the start" +
        (now.secondsLeft !== undefined && now.phase !== "ending" ? ", " + clock(Math.ceil(now.secondsLeft)) + " left"
          : facts.transactions ? ", " + count(now.now.transactions) + " of " + count(facts.transactions) + " transactions" : ""));
  };
  const notice = text => { at("notice").hidden = !text; at("notice").textContent = text; };

  const show = now => {
    latest = now;
    append(now.history);
    showFigures(now);
    showTables(now);
    showProgress(now);
    drawAll();
    over = now.phase === "over";
    notice(over ? "This run is over: its result directory, if it has one, holds the report. The page stays as it is, and goes on if the driver begins another run on this port." : "");
  };

  const showFacts = () => {
    const plural = (n, one) => count(n) + " " + one + (n === 1 ? "" : "s");
    at("kicker").textContent = [facts.product, "run " + facts.run, "started " + facts.start.replace("T", " ").replace(/\.\d+/, ""),
      facts.statementProfile].join(" · ");
    at("heading").textContent = [facts.workload + " on " + facts.database, plural(facts.warehouses, "warehouse"), plural(facts.terminals, "terminal")].join(" · ");
    at("shard-rates").hidden = !facts.shards.length;
    Object.keys(CHARTS).filter(id => id !== "shard-rates" || facts.shards.length).forEach(addChart);
  };

  // ---- asking ----

  const json = async path => {
    const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(5000) });
    if (!response.ok) throw new Error(path + ": " + response.status);
    return response.json();
  };
  const ask = async () => {
    try {
      if (!facts || over) {
        const found = await json("api/run");
        if (facts && (found.run !== facts.run || found.start !== facts.start)) {
          location.reload();
          return;
        }
        if (!facts) {
          facts = found;
          showFacts();
        }
      }
      const known = history ? "&width=" + history.width + "&from=" + history.size : "";
      const now = await json("api/live?viewer=" + viewer + known);
      if (now.run !== facts.run) {
        location.reload();
        return;
      }
      misses = 0;
      show(now);
    } catch (fault) {
      misses++;
      if (!over && misses >= MISSES_UNTIL_LOST) {
        showPhase("lost");
        notice("The driver does not answer any more: it has ended, or the way to it is cut. The figures are the last that came.");
      }
    }
    setTimeout(ask, over || misses >= MISSES_UNTIL_LOST ? PERIOD_AFTERWARDS : PERIOD);
  };

  let resizing = 0;
  window.addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(() => Object.values(charts).forEach(one => one.chart.resize()), 100);
  });
  dark.addEventListener("change", drawAll);
  ask();
})();
