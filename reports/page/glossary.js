// A term that the page explains gets a mark that leads there, wherever it stands in the head of a table or of a chart.
(() => {
  const terms = new Map();
  for (const term of document.querySelectorAll("dt[id^='term-']"))
    for (const name of term.textContent.split(", ")) terms.set(name, term);

  busbar.explain = (text) => {
    const term = terms.get(text.trim());
    if (!term) return null;
    const mark = busbar.make("a", { className: "term", href: `#${term.id}`, title: term.nextElementSibling.textContent }, "?");
    mark.setAttribute("aria-label", `what ${text.trim()} means`);
    return mark;
  };

  busbar.markTerms = (root) => {
    for (const place of root.querySelectorAll("th, dt:not([id])")) {
      const mark = busbar.explain(place.textContent);
      if (mark) place.append(" ", mark);
    }
  };
  busbar.markTerms(document);

  // Figures of the first screen are links themselves: their terms stand below them.
  const caption = document.querySelector("#overview > .caption");
  if (caption) {
    const words = [...document.querySelectorAll("#overview > .figures span")].map((span) => span.textContent).join(" ");
    const used = [...terms].filter(([name]) => new RegExp(`\\b${name.replace(/\W/g, "\\$&")}\\b`).test(words));
    used.forEach(([name, term], i) => {
      const link = busbar.make("a", { href: `#${term.id}`, title: term.nextElementSibling.textContent }, name);
      caption.append(i === 0 ? " Explained: " : ", ", link);
    });
    if (used.length > 0) caption.append(".");
  }
})();
