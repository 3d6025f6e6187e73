"use strict";
// Asks the driver once a second and shows what it answers. Points of the history that are here already are not sent again.
(() => {
  const { count, number, percent, clock, el, NONE } = page;
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
  // The views of each chart.
  const views = {
    throughput: () => [
      { name: rates().map(rate => rate.name).join(" and "), unit: per(rates()[0]), series: rates().map((rate, i, all) =>
        ({ key: i === 0 && all.length > 1 ? "headline" : rate.ofAll ? "total" : rate.name, name: rate.name, values: history[rate.name] })) },
      { name: "by type", unit: per(rates()[0]), series: inPeriod(shown(ofTypes("perMinute"))) }
    ],
    latency: () => ["p95", "p50", "p99"].map(name => ({ name, unit: "ms", series: shown(ofTypes(name + "Millis")) })),
    "shard-rates": () => [
      { unit: per(rates()[0]), series: inPeriod(facts.shards.map((name, i) => ({ name, values: history.shards[i].perMinute }))) }
    ],
    failures: () => [
      { unit: "per second", series: [
        { key: "DELIVERY", name: "errors", values: history.errorsPerSecond },
        { key: "PAYMENT", name: "retries", values: history.retriesPerSecond }] }
    ],
    client: () => [
      { name: "processors", unit: "cores", series: [
        { name: "processors used", values: history.clientCores },
        { name: "in garbage collection", values: history.clientGcShare }] },
      { name: "connections", unit: "connections", series: [
        { name: "in use", values: history.connectionsInUse }, { name: "workers waiting", values: history.connectionsWaitedFor }] },
      { name: "connection wait", unit: "ms", series: [
        { name: "mean wait for a connection", values: history.connectionWaitMillis }] }
    ]
  };
  const specOf = id => {
    const all = views[id]();
    return Object.assign({
      kind: "time", grows: true, first: history.firstSecond, width: history.width,
      seconds: history.firstSecond + Math.max(1, history.size) * history.width
    }, all.length > 1 ? { views: all } : all[0]);
  };

  // ---- the page ----

  const chart = (id, title, size) => page.chart({ id, title, size, spec: specOf(id) }, "h2");
  const table = (id, caption) => el("div", { class: "scroll" },
    el("table", { id }, el("caption", { class: "unseen" }, caption), el("thead", {}), el("tbody", {})));
  const section = (id, title, ...parts) =>
    el("section", { id: id + "-section", "aria-labelledby": id + "-title" }, el("h2", { id: id + "-title" }, title), parts);
  const noteOf = id => el("p", { class: "note", id: id + "-note" });
  const layOut = () => page.place(at("content"), ...[
    chart("throughput", "Throughput", ""),
    section("types", "Transactions", table("types", "Transactions by type"), noteOf("types")),
    chart("latency", "Latency", ""),
    facts.shards.length && section("shards", "Shards", table("shards", "Transactions by shard")),
    facts.shards.length && chart("shard-rates", "Throughput by shard", "low"),
    chart("failures", "Errors and retries", "low"),
    section("errors", "Classes of errors", table("errors", "Errors by class")),
    section("server", "Database and its machine", noteOf("server"),
      el("details", {}, el("summary", {}, "What the server counts"), table("server", "What the server counts"))),
    chart("client", "The driver itself", "low"),
    noteOf("client")
  ].filter(part => part));

  // ---- figures and tables ----

  // Numbers, but for the first column and those that say what else they are.
  const fill = (id, head, rows) => {
    const columns = head.map((h, i) => (Array.isArray(h) ? { name: h[0], align: h[1] } : { name: h, align: i ? "number" : "text" }));
    at(id).classList.toggle("wide", head.length > 3);
    page.fill(at(id), { columns, rows: rows.map(cells => ({ cells })) });
  };
  const figure = (name, value, unit, note, style) =>
    page.figureOf({ name, value, unit, note, main: style === "main", bad: style === "bad" });

  const most = map => Object.entries(map).sort((a, b) => b[1] - a[1])[0];
  const serverFigures = server => {
    const sessions = most(server.sessions);
    return [
      server.machine && figure(server.machine.ofServer ? "server's machine" : "machine of the OS collector",
        percent(server.machine.busyShare), "", "busy, " + percent(server.machine.ioWaitShare) + " idle for a disk"),
      sessions && figure("sessions: " + sessions[0], number(sessions[1]), "", "most of those in transactions")
    ].filter(one => one);
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
    at("figures").replaceChildren(
      ...(result
        ? facts.metrics.map(metric => figure(metric.name, number(result[metric.name]), "", "of the whole interval", "main"))
        : rates().map(rate => figure(rate.name + " now", shownRate(rate, now.now[rate.name]), "",
          "average " + shownRate(rate, measured[rate.name]), "main"))),
      figure("transactions", count((result || measured).transactions), "", result ? "successes" : period),
      figure(result ? "p95, last seconds" : "p95 now", number(now.now.p95Millis), "ms", "all types"),
      figure("failed", count(failed), "", percent(all ? measured.errors / all : 0) + ", " + count(measured.retries) + " retries", failed ? "bad" : ""),
      figure("driver's processors", client.cores.toFixed(2), "of " + client.coresAvailable,
        client.limited ? "may hold the run back: " + client.limited : "on average over the last second", client.limited ? "bad" : ""),
      ...serverFigures(now.server));
  };

  const showTypes = now => {
    const distributed = now.types.some(t => t.distributedShare > 0);
    const latencies = (when, name) => now.types.map(t => number(t[when].count ? t[when][name] : null));
    const slow = facts.types.map((type, i) => {
      const figures = now.types[i].totalMillis;
      return type.limitMillis > 0 && figures.count && figures.p90 >= type.limitMillis;
    });
    const of = (name, look) => latencies("totalMillis", name).map((text, i) => (look && look[i] ? [text, "fail"] : text));
    const parts = [of("p50"), of("p90", slow), of("p95"), of("p99"), of("max"), latencies("recentMillis", "p95"), latencies("recentMillis", "p99")];
    fill("types",
      ["type", "count", "now: " + per(rates()[0]), "p50 ms", "p90 ms", "p95 ms", "p99 ms", "max ms", "now: p95", "now: p99", "failed", "retries"]
        .concat(distributed ? ["distributed"] : []),
      now.types.map((t, i) => [t.name, count(t.count), shownRate(rates()[0], ofMinute(t.perMinute)), ...parts.map(part => part[i]),
        t.errors ? [count(t.errors), "fail"] : count(t.errors), count(t.retries)].concat(distributed ? [percent(t.distributedShare)] : [])));
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
    if (facts.shards.length) {
      fill("shards", ["shard", "now: " + per(rates()[0]), "share"],
        now.shards.map(s => [s.name, shownRate(rates()[0], ofMinute(s.perMinute)), percent(s.share)]));
    }
    at("errors-section").hidden = !now.errors.length;
    fill("errors", ["type", ["class", "text"], ["SQLSTATE", "text"], "count", "tried again", "outside", ["example", "prose"]],
      now.errors.map(e => [e.type, e.disposition, e.sqlState || NONE, count(e.count), count(e.retried), count(e.outside), e.example]));
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
    if (first) layOut();
    showFigures(now);
    showTables(now);
    showProgress(now);
    Object.keys(views).forEach(id => at(id) && page.update(id, specOf(id)));
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

  ask();
})();
