"use strict";
// Asks the driver once a second and shows what it answers. Points of the history that are here already are not sent again.
(() => {
  const { escape, count, number, percent, clock, colour, style, axis, NONE } = page;
  const known = value => value !== null && value !== undefined;
  const PERIOD = 1000;
  const PERIOD_AFTERWARDS = 5000;
  const MISSES_UNTIL_LOST = 3;
  const PHASES = {
    starting: "starting", ramp_up: "ramp-up", measuring: "measuring", ending: "ending", over: "over", lost: "connection lost"
  };
  const viewer = Math.random().toString(36).slice(2);
  const at = id => document.getElementById(id);

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
        // What is not known is null, which is no group of figures.
        else if (value.some(v => v !== null && typeof v === "object")) joined[name] = value.map((v, i) => join(old && old[name] ? old[name][i] : null, v));
        else joined[name] = (old && old[name] || []).slice(0, part.from).concat(value);
      }
      return joined;
    };
    history = join(part.from > 0 ? history : null, part);
  };

  // ---- charts ----

  const ofTypes = figure => facts.types.map((type, i) => ({ key: type.name, name: type.name, values: history.types[i][figure] }));
  const shown = series => series.filter(s => s.values.some(v => v > 0));
  const rates = () => facts.metrics.filter(metric => metric.periodSeconds > 0);
  const per = metric => (metric.periodSeconds === 60 ? "per minute" : "per second");
  // Rates of types and shards come by the minute; shown like the benchmark's first rate.
  const ofMinute = value => value * rates()[0].periodSeconds / 60;
  // What counts by the minute needs no fractions.
  const inPeriod = series => series.map(s => ({ ...s, values: s.values.map(ofMinute) }));
  const shownRate = (metric, value) => (metric.periodSeconds === 60 ? count(value) : number(value));
  const chartsOfRun = () => ({
    throughput: [
      { name: rates().map(rate => rate.name).join(" and "), unit: per(rates()[0]), series: () => rates().map((rate, i, all) =>
        ({ key: i === 0 && all.length > 1 ? "headline" : rate.ofAll ? "total" : rate.name, name: rate.name, values: history[rate.name] })) },
      { name: "by type", unit: per(rates()[0]), series: () => inPeriod(shown(ofTypes("perMinute"))) }
    ],
    latency: [
      { name: "p95", unit: "ms", series: () => shown(ofTypes("p95Millis")) },
      { name: "p50", unit: "ms", series: () => shown(ofTypes("p50Millis")) },
      { name: "p99", unit: "ms", series: () => shown(ofTypes("p99Millis")) }
    ],
    "shard-rates": [
      { unit: per(rates()[0]), series: () => inPeriod(facts.shards.map((name, i) => ({ name, values: history.shards[i].perMinute }))) }
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
  });
  const charts = {};
  // What is shown, in seconds; null for all there is, which grows.
  let span = null;

  const whole = () => [history.firstSecond, history.firstSecond + Math.max(1, history.size) * history.width];
  const timeOf = seconds => clock(seconds) + (history.width > 1 ? " – " + clock(seconds + history.width) : "");
  const lonely = (values, n) => !known(values[n - 1]) && known(values[n]) && !known(values[n + 1]);
  const draw = one => {
    const view = one.views[one.view];
    const width = history.width;
    const [first, end] = whole();
    const [from, to] = span || [first, end];
    const series = view.series();
    const names = series.map(s => s.name);
    const room = page.fit(one.plot, one.chart, names);
    one.chart.setOption(Object.assign(page.option(), {
      grid: { left: 8, right: 12, top: page.belowLegend(names, room), bottom: 24 },
      legend: page.legend(),
      xAxis: axis("", {
        type: "value", min: from, max: to, minInterval: 1, splitLine: { show: false },
        // Left and below, also where the ramp-up has negative times.
        axisLine: { onZero: false, lineStyle: { color: style("--line") } },
        axisLabel: { color: style("--muted"), formatter: clock, hideOverlap: true, showMinLabel: !span, showMaxLabel: false }
      }),
      // Room above the lines for the word in the ramp-up.
      yAxis: axis(view.unit, Object.assign(
        { type: "value", min: 0, axisLine: { onZero: false, lineStyle: { color: style("--line") } } },
        page.ticks(series.flatMap(s => s.values.map(v => 1.12 * v))))),
      tooltip: Object.assign(page.option().tooltip, {
        trigger: "axis",
        formatter: items => page.tip(timeOf(items[0].value[0]), items.map(item => page.tipRow(item, item.value[1], view.unit)))
      }),
      series: series.map((s, i) => ({
        name: s.name, type: "line", symbol: "none", symbolSize: 5, emphasis: { disabled: true },
        color: colour(s.key, i), lineStyle: { width: s.key === "total" ? 2.2 : 1.7 },
        markArea: i === 0 && first < 0 && end > first ? {
          silent: true, itemStyle: { color: "rgba(128,140,155,.12)" },
          label: { color: style("--muted"), position: "insideTopLeft" },
          data: [[{ name: "ramp-up", xAxis: first }, { xAxis: Math.min(0, end) }]]
        } : undefined,
        // A point between two gaps has no line; what is not known is a gap.
        data: s.values.map((v, n) => ({
          value: [first + n * width, v], symbol: lonely(s.values, n) ? "circle" : "none"
        }))
      }))
    }), true);
    page.describe(one.plot, one.title + (view.name ? ", " + view.name : ""), view.unit, series.map(s => [s.name, s.values]), true);
    one.refillTable();
  };
  // The newest first: they are what is watched.
  const tableOf = one => {
    const view = one.views[one.view];
    const series = view.series();
    const texts = series.map(s => s.values.map(number));
    const rows = Array.from({ length: history.size }, (_, n) =>
      [timeOf(history.firstSecond + n * history.width), ...texts.map(column => column[n])]);
    return page.table([one.title, view.name, view.unit].filter(text => text).join(", "), ["time", ...series.map(s => s.name)], rows.reverse());
  };

  const drawAll = () => { if (history) Object.values(charts).forEach(draw); };
  const percentOf = seconds => {
    const [first, end] = whole();
    return 100 * (seconds - first) / (end - first);
  };
  const zoom = {
    range: () => (span ? span.map(percentOf) : [0, 100]),
    set: (start, end) => {
      if (!history) return;
      const [first, last] = whole();
      const at = share => first + share / 100 * (last - first);
      span = start <= 0 && end >= 100 ? null : [at(start), at(end)];
      drawAll();
      Object.values(charts).forEach(one => one.zoomed());
    }
  };
  const addChart = ([id, views]) => {
    const figure = at(id);
    const plot = figure.querySelector(".plot");
    const chart = echarts.init(plot, null, { renderer: "canvas" });
    const one = { views, view: 0, plot, chart, title: figure.querySelector("h2").textContent };
    charts[id] = one;
    one.refillTable = page.onTable(figure, () => tableOf(one));
    if (one.views.length > 1) {
      page.choice(figure.querySelector(".views"), "", one.views.map(view => view.name), 0, index => {
        one.view = index;
        draw(one);
      });
    }
    one.zoomed = page.zoomable(figure, chart, zoom);
  };

  // ---- figures and tables ----

  const fill = (id, head, rows) => {
    const cell = (tag, c, column) => {
      const [text, look] = Array.isArray(c) ? c : [c, "number"];
      const name = Array.isArray(column) ? column[0] : column;
      return "<" + tag + " class='" + look + "'" + (name ? " data-column='" + escape(name) + "'" : "") + ">" + escape(text) + "</" + tag.slice(0, 2) + ">";
    };
    at(id).classList.toggle("wide", head.length > 3);
    at(id).tHead.innerHTML = "<tr>" + head.map((h, i) => cell("th scope='col'", i ? h : [h, "text"])).join("") + "</tr>";
    at(id).tBodies[0].innerHTML = rows.map(r =>
      "<tr>" + r.map((c, i) => (i ? cell("td", c, head[i]) : cell("th scope='row'", [c, "text"]))).join("") + "</tr>").join("");
  };
  const figure = (name, value, unit, note, style) =>
    "<div class='figure " + (style || "") + "'><dt>" + escape(name) + "</dt><dd>" + escape(value) +
    (unit ? " <small>" + escape(unit) + "</small>" : "") + "</dd><dd class='note'>" + escape(note) + "</dd></div>";

  const most = map => Object.entries(map).sort((a, b) => b[1] - a[1])[0];
  const serverFigures = server => {
    const sessions = most(server.sessions);
    return (server.machine ? figure(server.machine.ofServer ? "server's machine" : "machine of the OS collector",
      percent(server.machine.busyShare), "", "busy, " + percent(server.machine.ioWaitShare) + " idle for a disk") : "") +
      (sessions ? figure("sessions: " + sessions[0], number(sessions[1]), "", "most of those in transactions") : "");
  };
  const showServer = server => {
    const sessions = Object.entries(server.sessions).map(([name, n]) => name + " " + number(n));
    const disks = server.machine ? Object.entries(server.machine.disks).map(([name, share]) => name + " " + percent(share)) : [];
    at("server-note").textContent = [
      sessions.length ? "Sessions in transactions: " + sessions.join(", ") + "." : server.missing ? "Sessions: not known, " + server.missing + "." : "",
      disks.length ? "Disks busy: " + disks.join(", ") + "." : ""
    ].filter(text => text).join(" ");
    const figures = Object.entries(server.perSecond);
    fill("server", ["figure", "per second, or now"], figures.map(([name, value]) => [name, number(value)]));
    at("server-section").hidden = !figures.length && !sessions.length && !server.machine;
  };
  const showFigures = now => {
    const measured = now.measured;
    const result = now.result;
    const period = now.phase === "ramp_up" || now.phase === "starting" ? "in the ramp-up" : "since measuring began";
    const all = measured.errors + measured.transactions;
    const failed = result ? result.errors : measured.errors;
    const client = now.client;
    at("figures").innerHTML = (result
      ? facts.metrics.map(metric => figure(metric.name, number(result[metric.name]), "", "of the whole interval", "main")).join("") +
        figure("transactions", count(result.transactions), "", "successes")
      : rates().map(rate => figure(rate.name + " now", shownRate(rate, now.now[rate.name]), "",
        "average " + shownRate(rate, measured[rate.name]), "main")).join("") +
        figure("transactions", count(measured.transactions), "", period)) +
      figure(result ? "p95, last seconds" : "p95 now", number(now.now.p95Millis), "ms", "all types") +
      figure("failed", count(failed), "", percent(all ? measured.errors / all : 0) + ", " + count(measured.retries) + " retries", failed ? "bad" : "") +
      figure("driver's processors", client.cores.toFixed(2), "of " + client.coresAvailable,
        client.limited ? "may hold the run back: " + client.limited : "on average over the last second", client.limited ? "bad" : "") +
      serverFigures(now.server);
  };

  const showTypes = now => {
    const distributed = now.types.some(t => t.distributedShare > 0);
    const latencies = (when, name) => now.types.map(t => number(t[when].count ? t[when][name] : null));
    const slow = facts.types.map((type, i) => {
      const figures = now.types[i].totalMillis;
      return type.limitMillis > 0 && figures.count && figures.p90 >= type.limitMillis;
    });
    const of = (name, look) => latencies("totalMillis", name).map((text, i) => [text, look && look[i] ? "number fail" : "number"]);
    const parts = [of("p50"), of("p90", slow), of("p95"), of("p99"), of("max"), latencies("recentMillis", "p95"), latencies("recentMillis", "p99")];
    fill("types",
      ["type", "count", "now: " + per(rates()[0]), "p50 ms", "p90 ms", "p95 ms", "p99 ms", "max ms", "now: p95", "now: p99", "failed", "retries"]
        .concat(distributed ? ["distributed"] : []),
      now.types.map((t, i) => [t.name, count(t.count), shownRate(rates()[0], ofMinute(t.perMinute)), ...parts.map(part => part[i]),
        [count(t.errors), t.errors ? "number fail" : "number"], count(t.retries)].concat(distributed ? [percent(t.distributedShare)] : [])));
    const tooSlow = facts.types.filter((type, i) => slow[i]).map(type => type.name);
    at("types-note").textContent = "Latencies of successes, from due to done" +
      (now.phase === "ramp_up" ? ", of the ramp-up" : ", since measuring began") + "; now: the last 5 to 10 s. " +
      (!facts.types.some(type => type.limitMillis > 0) ? ""
        : tooSlow.length ? "Above the limits of TPC\u2011C 5.2.5.3 for p90: " + tooSlow.join(", ") + "."
          : "All p90 are within the limits of TPC\u2011C 5.2.5.3.");
  };
  const showTables = now => {
    showTypes(now);
    showServer(now.server);
    at("shards-section").hidden = at("shard-rates").hidden = !facts.shards.length;
    if (facts.shards.length) {
      fill("shards", ["shard", "now: " + per(rates()[0]), "share"],
        now.shards.map(s => [s.name, shownRate(rates()[0], ofMinute(s.perMinute)), percent(s.share)]));
    }
    at("errors-section").hidden = !now.errors.length;
    fill("errors", ["type", ["class", "text"], ["SQLSTATE", "text"], "count", "tried again", "outside", ["example", "text"]],
      now.errors.map(e => [e.type, [e.disposition, "text"], [e.sqlState || NONE, "text"], count(e.count), count(e.retried), count(e.outside), [e.example, "prose"]]));
    const client = now.client;
    const connections = now.connections;
    at("client-note").textContent = client.cores.toFixed(2) + " of " + client.coresAvailable + " processors, " + percent(client.gcShare) +
      " in garbage collection, heap " + count(client.heapUsedBytes / 1048576) + " MB. Connections: " + count(connections.inUse) + " in use, " +
      count(connections.idle) + " idle, " + count(connections.waitedFor) + " workers waiting, mean wait " +
      (connections.waitMillis > 0 && connections.waitMillis < 0.001 ? "below 0.001" : number(connections.waitMillis)) + " ms." +
      (now.idleSessions ? " Idle sessions: " + count(now.idleSessions.open) + " of " + count(now.idleSessions.asked) + " open, " +
        count(now.idleSessions.lost) + " lost." : "");
    page.allReachable();
  };

  const showPhase = (phase, text) => {
    at("phase").textContent = PHASES[phase] || phase;
    at("phase").className = "pill " + phase;
    if (text !== undefined) at("when").textContent = text;
    document.title = (PHASES[phase] || phase) + " · " + (latest ? shownRate(rates()[0], latest.now[rates()[0].name]) + " " + rates()[0].name + " · " : "") + "Shardmark";
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
  // The grade is a class of the style sheet: pass, warn or fail.
  const notice = (text, grade) => {
    at("notice").hidden = !text;
    at("notice").textContent = text;
    at("notice").className = grade && grade !== "warn" ? "warning " + grade : "warning";
  };

  const show = now => {
    latest = now;
    const first = !history;
    append(now.history);
    // Not before: there is nothing to draw, to look at or to put into a table.
    if (first) Object.entries(chartsOfRun()).filter(([id]) => id !== "shard-rates" || facts.shards.length).forEach(addChart);
    showFigures(now);
    showTables(now);
    showProgress(now);
    drawAll();
    over = now.phase === "over" && now.result.written;
    notice(now.phase === "over" ? "Verdict: " + now.result.verdict + ". This run is over. " +
      (!over ? "Its files are being written." : "The page stays as it is, and goes on if the driver begins another run on this port.") : "",
      now.result && now.result.grade);
    if (over && now.result.report && !at("report").href) keepReport(now.result.report);
  };

  // The driver ends when the page has all of it: the report is kept here, for as long as the page is open.
  const keepReport = async path => {
    const link = at("report");
    link.href = "#";
    try {
      const response = await fetch("report?viewer=" + viewer, { cache: "no-store" });
      if (!response.ok) throw new Error(response.status);
      link.href = URL.createObjectURL(await response.blob());
      link.download = facts.workload + "-run-" + facts.run + ".html";
      link.textContent = "Save the report";
    } catch (fault) {
      link.removeAttribute("href");
      link.textContent = "The report";
    }
    at("report-path").textContent = path;
    at("report-line").hidden = false;
  };

  const showFacts = () => {
    const plural = (n, one) => count(n) + " " + one + (n === 1 ? "" : "s");
    at("kicker").textContent = [facts.product, "run " + facts.run, "started " + facts.start.replace("T", " ").replace(/\.\d+/, ""),
      facts.statementProfile].filter(text => text).join(" · ");
    at("heading").textContent = [facts.workload + " on " + facts.database, count(facts.scale.number) + " " + facts.scale.name, plural(facts.terminals, "terminal")].join(" · ");
    at("shard-rates").hidden = !facts.shards.length;
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

  page.onLook(() => {
    drawAll();
    page.allReachable();
  });
  ask();
})();
