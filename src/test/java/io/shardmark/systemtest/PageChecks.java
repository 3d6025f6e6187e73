package io.shardmark.systemtest;

/** Scripts that tests run in a page to see what a reader would. */
final class PageChecks {
  private PageChecks() {}

  /** A function: how many colours a canvas has. */
  static final String COLOURS =
      """
      canvas => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height)
          .getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data;
        const seen = new Set();
        for (let i = 0; i < pixels.length; i += 4) {
          if (pixels[i + 3]) seen.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
        }
        return seen.size;
      }""";

  /** Texts whose contrast is below 4.5 (WCAG 2.2, 1.4.3 AA). */
  static final String FAINT_TEXTS =
      """
      (() => {
        const numbers = text => text.match(/[\\d.]+/g).map(Number);
        const luminance = rgb => rgb.slice(0, 3).map(c => c / 255)
          .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const background = element => {
          for (let e = element; e; e = e.parentElement) {
            const colour = numbers(getComputedStyle(e).backgroundColor);
            if (colour.length < 4 || colour[3] > 0) return colour;
          }
          return [255, 255, 255];
        };
        const found = new Set();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const element = node.parentElement;
          if (!node.data.trim() || !element.checkVisibility() || element.closest("script")) continue;
          const [a, b] = [luminance(numbers(getComputedStyle(element).color)), luminance(background(element))];
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (contrast < 4.5) found.add(element.tagName + "." + element.className + " " + contrast.toFixed(2));
        }
        return [...found].join("; ");
      })()
      """;

  /** Tables that are cut off at the edge of the paper; empty if none is. */
  static final String CUT_TABLES =
      """
      [...document.querySelectorAll("table")].filter(table => table.checkVisibility())
        .map(table => [Math.ceil(table.getBoundingClientRect().right), table.textContent.slice(0, 40)])
        .filter(([right]) => right > window.innerWidth).join("; ")
      """;

  /** Headings, with the words below them, after which a sheet may end; empty if there is none. */
  static final String LONE_HEADINGS =
      """
      (() => {
        const found = [];
        const words = e => e.nextElementSibling?.tagName === "P" ? e.nextElementSibling : null;
        [...document.querySelectorAll("h2, h3")].filter(head => head.checkVisibility()).forEach(head => {
          for (let e = head.closest("figcaption, summary") || head; e; e = words(e)) {
            if (e.nextElementSibling && getComputedStyle(e).breakAfter !== "avoid") {
              found.push(e.tagName + " " + e.textContent.slice(0, 40));
            }
          }
        });
        return found.join("; ");
      })()
      """;

  /** What a reader who listens or has only a keyboard would miss; empty if nothing is. */
  static final String UNNAMED =
      """
      (() => {
        const found = [];
        const all = selector => [...document.querySelectorAll(selector)];
        ["header", "nav", "main", "footer"].forEach(landmark => {
          if (all("body > " + landmark).length !== 1) found.push("landmark " + landmark);
        });
        all("section, nav, figure").forEach(part => {
          const by = part.getAttribute("aria-labelledby");
          const label = by ? document.getElementById(by)?.textContent : part.getAttribute("aria-label");
          if (!label) found.push(part.tagName + " " + part.id + " without a name");
        });
        all("table").forEach(table => {
          if (!table.caption?.textContent.trim()) found.push("table without a caption");
          if (!table.querySelector("thead th[scope=col]")) found.push("table without heads of columns");
          if (!table.querySelector("tbody th[scope=row]")) found.push("table without heads of rows");
        });
        all(".scroll").filter(box => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
          .forEach(box => { if (box.tabIndex < 0) found.push("cannot be scrolled by keys: " + box.textContent.slice(0, 40)); });
        all(".plot").forEach(plot => {
          if (plot.tabIndex < 0 || plot.getAttribute("role") !== "img") found.push("plot out of reach");
        });
        let level = 1;
        all("h1, h2, h3").forEach(head => {
          const next = Number(head.tagName[1]);
          if (next > level + 1) found.push("heading skips a level: " + head.textContent);
          level = next;
        });
        if (getComputedStyle(document.documentElement).scrollBehavior !== "auto") found.push("moves though asked not to");
        return found.join("; ");
      })()
      """;
}
