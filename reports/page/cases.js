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

  const columns = [
    ["run", (p) => p.run], ["series", (p) => p.series], ["time", (p) => p.facts.time], ["interval", (p) => p.facts.interval],
    ["relative to the fastest run", (p) => p.relative], ["p99", (p) => p.facts.p99], ["algbw", (p) => p.facts.algbw], ["busbw", (p) => p.facts.busbw], ["compared with", (p) => p.facts.ceiling],
  ];

  function tableOf(points) {
    const filled = columns.filter(([, text]) => points.some((p) => text(p)));
    const head = busbar.make("tr", {}, ...filled.map(([title]) => busbar.make("th", { scope: "col" }, title)));
    const rows = points.map((p) => busbar.make("tr", {}, ...filled.map(([, text]) => busbar.make("td", {}, text(p) ?? "-"))));
    return busbar.make("table", {}, busbar.make("thead", {}, head), busbar.make("tbody", {}, ...rows));
  }

  /** Shows a size of a card, in place of the one that was shown there. */
  busbar.showCase = ({ article, bytes }) => {
    article.querySelector(".case")?.remove();
    const points = busbar.pointsOf(article).filter((p) => p.bytes === bytes).map((p) => ({ ...p, facts: Object.fromEntries(busbar.factsOf(p)) }));
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
