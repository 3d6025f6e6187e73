"use strict";
// Common to the report, the comparison and the live page: colours, numbers, the look of charts, tables and zoom.
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
  // Inside of the margins of A4 and of Letter, in pixels.
  const PAPER_WIDTH = 700;
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
  const PAPER_HEIGHT = { low: 190 };
  const PAPER_HEIGHT_ELSE = 225;
  const fit = (plot, chart, names) => {
    const width = printing ? PAPER_WIDTH : plot.clientWidth;
    plot.style.height = "";
    const own = printing ? PAPER_HEIGHT[[...plot.classList].find(c => PAPER_HEIGHT[c])] || PAPER_HEIGHT_ELSE : plot.clientHeight;
    const height = own + ROW * Math.max(0, legendRows(names, width) - 2);
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
    window.addEventListener("beforeprint", () => { printing = true; redraw(); });
    window.addEventListener("afterprint", () => { printing = false; redraw(); });
  };

  // What a picture cannot say to those who do not see it; series are [name, values].
  const describe = (plot, title, unit, series, zooms) => {
    const parts = series.slice(0, 8).map(([name, values]) => {
      const known = values.filter(v => !isNone(v));
      if (!known.length) return name + ": nothing";
      const [low, high] = known.reduce((r, v) => [Math.min(r[0], v), Math.max(r[1], v)], [Infinity, -Infinity]);
      return name + ": " + number(low) + " to " + number(high);
    });
    plot.setAttribute("aria-label", "Chart: " + title + (unit ? ", " + unit : "") + ". " + parts.map(p => p + ". ").join("") +
      (zooms ? "Plus and minus zoom, arrows move, 0 shows all. " : "") + "The figures are under Table.");
  };

  // ---- views and tables ----

  // A row of buttons of which one is pressed.
  const choice = (place, name, options, chosen, choose) => {
    const row = document.createElement("span");
    if (name) row.append(name);
    const buttons = options.map((text, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-pressed", String(index === chosen));
      button.addEventListener("click", () => {
        buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(i === index)));
        choose(index);
      });
      return button;
    });
    row.append(...buttons);
    place.append(row);
  };
  const MOST_ROWS = 5000;
  const table = (caption, head, rows) => {
    const shown = rows.slice(0, MOST_ROWS);
    const first = text => "<th scope='row' class='number'>" + escape(text) + "</th>";
    return "<table><caption>" + escape(caption) + (shown.length < rows.length ? ", the first " + count(MOST_ROWS) + " rows" : "") +
      "</caption><thead><tr>" + head.map(h => "<th scope='col' class='number'>" + escape(h) + "</th>").join("") +
      "</tr></thead><tbody>" + shown.map(r => "<tr>" + first(r[0]) +
        r.slice(1).map(v => "<td class='number'>" + escape(v) + "</td>").join("") + "</tr>").join("") + "</tbody></table>";
  };
  // Made when it is opened; a change of the figures fills it again.
  const onTable = (figure, fill) => {
    const details = figure.querySelector("details");
    const filled = () => {
      if (details.open) {
        details.querySelector(".data").innerHTML = fill();
        reachable(details.querySelector(".data"));
      }
    };
    details.addEventListener("toggle", filled);
    return filled;
  };
  // What is wider or higher than its place can be moved from the keyboard too.
  const reachable = place => {
    const more = place.scrollWidth > place.clientWidth + 1 || place.scrollHeight > place.clientHeight + 1;
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
    const mark = document.createElement("div");
    mark.className = "selection";
    mark.hidden = true;
    plot.prepend(mark);
    const whole = document.createElement("button");
    whole.type = "button";
    whole.className = "whole";
    whole.textContent = "Show all";
    whole.hidden = true;
    figure.querySelector(".views").before(whole);

    const refresh = () => {
      const [start, end] = zoom.range();
      whole.hidden = start <= 0 && end >= 100;
    };
    const set = (start, end) => {
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
      set(at(left), at(right));
    });
    window.addEventListener("pointercancel", stop);
    plot.addEventListener("dblclick", event => {
      if (inside(area(), ...place(event))) set(0, 100);
    });
    whole.addEventListener("click", () => {
      set(0, 100);
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
      set(...to);
    });
    return refresh;
  };

  return {
    isPrinting: () => printing, scheme, style, colour, NONE, escape, count, number, percent, tick, clock,
    option, axis, ticks, legend, belowLegend, fit, tip, tipRow, onLook, describe, choice, table, onTable, allReachable, zoomable
  };
})();
