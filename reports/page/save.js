// Charts as files: SVG and PNG with their legend and title, in the colours of the page; and their data as CSV.
(() => {
  const namespace = "http://www.w3.org/2000/svg";
  const line = 20; // px, of a row of the legend

  /** Names of the style sheet's colours become the colours of the light theme, since a file has no style sheet. */
  function withColours(text) {
    const { style } = document.styleSheets[0].cssRules[0];
    return text
      .replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim())
      .replaceAll("currentColor", style.getPropertyValue("--text").trim());
  }

  function element(name, attributes, text) {
    const made = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const label = (text, x, y, size, weight) =>
    element("text", { x, y, fill: "var(--text)", "font-family": "system-ui, sans-serif", "font-size": size, "font-weight": weight }, text);

  /** The shown entries of a legend in rows of at most `width`, and which lines they are. */
  function legend(card, width, top) {
    const group = element("g", { transform: `translate(0 ${top})` });
    if (card.querySelector(".legend")?.hidden) return { group, height: 0 }; // the names are at the lines
    const measure = document.createElement("canvas").getContext("2d");
    measure.font = "12px system-ui, sans-serif";
    let x = 0, y = 0;
    for (const entry of card.querySelectorAll(".legend button[aria-pressed='true']")) {
      const wide = 34 + measure.measureText(entry.textContent).width + 16;
      if (x > 0 && x + wide > width) [x, y] = [0, y + line];
      const swatch = entry.querySelector("svg").cloneNode(true);
      swatch.setAttribute("x", x);
      swatch.setAttribute("y", y);
      group.append(swatch, label(entry.textContent, x + 34, y + 10, 12, 400));
      x += wide;
    }
    if (x > 0) y += line;
    const choice = card.querySelector(".legend .choice:not([hidden])");
    if (choice) {
      group.append(label(choice.textContent, 0, y + 10, 12, 400));
      y += line;
    }
    return { group, height: y };
  }

  async function picture(card, plot, view) {
    const chart = new DOMParser().parseFromString(await view.toSVG(), "image/svg+xml").documentElement;
    const margin = 12, width = Number(chart.getAttribute("width"));
    const title = [card.querySelector("h3").textContent, plot.dataset.name ?? plot.querySelector("h4")?.textContent].filter(Boolean).join(": ");
    const entries = legend(card, width, 30);
    chart.setAttribute("y", 30 + entries.height);
    const height = 30 + entries.height + Number(chart.getAttribute("height"));
    const whole = element("svg", { xmlns: namespace, width: width + 2 * margin, height: height + 2 * margin });
    const inside = element("svg", { x: margin, y: margin, width, height, overflow: "visible" });
    inside.append(label(title, 0, 14, 14, 600), entries.group, chart);
    whole.append(element("rect", { width: "100%", height: "100%", fill: "var(--card)" }), inside);
    const named = plot.dataset.name ?? plot.querySelector("h4");
    const name = named ? title : `${title} ${view.description()}`;
    return { text: withColours(new XMLSerializer().serializeToString(whole)), name,
             width: width + 2 * margin, height: height + 2 * margin };
  }

  async function png({ text, width, height }) {
    const scale = 2;
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = busbar.make("canvas", { width: scale * width, height: scale * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  /** A cell of CSV. Text that a spreadsheet would take for a formula gets an apostrophe. */
  function cell(value) {
    if (value === null || value === undefined) return "";
    let text = String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  /** Numbers of the points, with the line that each belongs to; texts of tooltips are left out. */
  function csv({ points, lines, specs }) {
    const of = new Map(lines.map((l) => [l.line, l]));
    const columns = [...new Set(points.flatMap(Object.keys))]
      .filter((key) => !["line", "plot", "index", "facts", "size", "p99", "interval"].includes(key) && !key.endsWith("_text"));
    const plots = points.some((p) => p.plot !== undefined);
    const rows = points.map((p) => [
      ...(plots ? [specs[p.plot]?.description] : []), of.get(p.line)?.run, of.get(p.line)?.series, ...columns.map((c) => p[c])]);
    return [[...(plots ? ["plot"] : []), "run", "series", ...columns], ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  }

  busbar.saveChart = async (card, plot, view, format) => {
    const made = await picture(card, plot, view);
    const blob = format === "svg" ? new Blob([made.text], { type: "image/svg+xml" }) : await png(made);
    busbar.save(busbar.fileName(made.name, `.${format}`), blob);
  };
  busbar.saveData = (card, data) =>
    busbar.save(busbar.fileName(card.querySelector("h3").textContent, ".csv"), new Blob([csv(data)], { type: "text/csv" }));
})();
