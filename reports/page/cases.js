// Cases: #allreduce-4MiB shows what all lines of a card have at one size, as a table under its charts.
(() => {
  /** The card and size that an anchor names; null if there is none. Cards of facets share the name before their colon. */
  function caseOf(anchor) {
    const end = anchor.lastIndexOf("-");
    if (end < 0) return null;
    const name = anchor.slice(0, end), size = anchor.slice(end + 1);
    for (const article of document.querySelectorAll("article.charts[id]")) {
      if (article.id !== name && !article.id.startsWith(`${name}-`)) continue;
      const bytes = Object.entries(busbar.sizesOf(article)).find(([, text]) => text.replace(" ", "") === size)?.[0];
      if (bytes !== undefined) return { article, bytes: Number(bytes) };
    }
    return null;
  }

  const judgements = JSON.parse(document.getElementById("judgements").textContent);
  const percent = (share) => `${Math.round(100 * share)} %`;

  /** What the time consists of, and what that says of the bandwidth. */
  function sentenceOnTime({ growing_share: growing, over_line, busbw, ceiling }) {
    if (growing === undefined || over_line > 1.25) return undefined; // far from the line of its neighbours, which would tell
    if (growing < 0.1) return "nearly all of the time is latency, which no ceiling limits";
    if (growing > 0.95) return "almost all of the time grows with the size";
    const rest = busbw > 0 && ceiling > 0 ? `; the rest moves the data at ${percent(busbw / ceiling / growing)} of the ceiling` : "";
    return `${percent(1 - growing)} of the time is latency${rest}`;
  }

  function sentenceOnNeighbours({ over_line: ratio }) {
    if (ratio === undefined) return undefined;
    return ratio > 1.05 ? `${ratio.toFixed(2)}x the time that its neighbouring sizes predict`
      : `no slower than its neighbouring sizes predict (${ratio.toFixed(2)}x)`;
  }

  const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

  /** Whether a point is as it should be: mark and word, then the reasons. */
  function verdictCell(p) {
    const [style, mark, word] = judgements[p.judgement];
    const reasons = [...p.remarks, p.facts.ceiling, sentenceOnTime(p), sentenceOnNeighbours(p)].filter(Boolean);
    return busbar.make("span", { className: style }, busbar.make("span", { className: "mark", ariaHidden: "true" }, mark),
      " ", busbar.make("b", {}, word), reasons.map((text) => `. ${capitalised(text)}`).join(""));
  }

  /** Title, content and style of each column. */
  const columns = [
    ["run", (p) => p.run, "name"],
    ["series", (p) => p.series, "name"],
    ["verdict", (p) => p.judgement !== undefined && verdictCell(p), "text long"],
    ["time", (p) => p.facts.time, "number"],
    ["interval", (p) => p.facts.interval],
    ["relative to the fastest run", (p) => p.relative, "number"],
    ["p99", (p) => p.p99 && p.facts.p99, "number"],
    ["algbw", (p) => p.facts.algbw, "number"],
    ["busbw", (p) => p.facts.busbw, "number"],
    ["grade", (p) => p.grade],
  ];

  /** Repeats the head of its column, for narrow screens. */
  function cellOf(head, content, className) {
    const cell = busbar.make("td", { className }, content);
    cell.dataset.head = head;
    return cell;
  }

  function tableOf(points) {
    const filled = columns.filter(([, content]) => points.some((p) => content(p)));
    const head = busbar.make("tr", {}, ...filled.map(([title, , className = ""]) => busbar.make("th", { scope: "col", className }, title)));
    const rows = points.map((p) =>
      busbar.make("tr", {}, ...filled.map(([head, content, className = ""]) => cellOf(head, content(p) || "-", className))));
    return busbar.make("table", { className: "stacks" }, busbar.make("thead", {}, head), busbar.make("tbody", {}, ...rows));
  }

  /** Shows a size of a card, in place of the one that was shown there. */
  busbar.showCase = ({ article, bytes }) => {
    article.querySelector(".case")?.remove();
    const points = busbar.pointsAt(article, bytes).map((p) => ({ ...p, facts: Object.fromEntries(busbar.factsOf(p)) }));
    if (points.length === 0) return;
    for (const p of points) {
      const alike = points.filter((other) => other.series === p.series && other.time > 0);
      if (alike.length > 1 && p.time > 0)
        p.relative = `${(p.time / Math.min(...alike.map((other) => other.time))).toFixed(2)}x`;
    }
    const title = `${article.querySelector("h3").firstChild.textContent.trim()}, ${points[0].size}`;
    const table = tableOf(points);
    const panel = busbar.make("section", { className: "rounds case", tabIndex: -1 }, busbar.make("h4", {}, title),
      busbar.button("close", "Close this size", () => panel.remove()), busbar.make("div", { className: "scroll", tabIndex: 0 }, table));
    panel.setAttribute("aria-label", title);
    article.querySelector(".grid").before(panel);
    busbar.makeSortable(table);
    busbar.markTerms(panel);
    article.scrollIntoView();
    panel.focus({ preventScroll: true });
  };

  const follow = () => {
    const found = caseOf(busbar.anchor());
    if (found) busbar.showCase(found);
  };
  addEventListener("hashchange", follow);
  addEventListener("load", follow);
})();
