// Clicking a point shows the rounds of its case: over time, and how they are distributed.
(() => {
  const source = document.getElementById("round-specs");
  if (!source) return;
  const specs = JSON.parse(source.textContent);

  /** One row a round, in the unit in which their middle is between 1 and 1000. */
  function rowsOf(rounds) {
    const times = rounds.map((r) => r[1]).sort((a, b) => a - b);
    const [unit, scale] = busbar.unitOf(times[times.length >> 1]);
    const text = (seconds) => `${(seconds / scale).toPrecision(4)} ${unit}`;
    const rows = rounds.map(([at, time, pace, contended]) => ({
      at, time: time / scale, text: text(time), contended: contended === 1, contended_text: contended === 1 ? "yes" : "no",
      pace_text: pace === null ? "unknown" : `${(pace * 1e6).toPrecision(3)} us`,
      share: times.filter((t) => t <= time).length / times.length,
    }));
    return { unit, rows };
  }

  function withUnit(spec, unit) {
    const copy = structuredClone(spec);
    for (const channel of ["x", "y"])
      if (copy.encoding[channel].axis.title === "time") copy.encoding[channel].axis.title = `time (${unit})`;
    return copy;
  }

  /** Shows the rounds of a point of a card, in place of what was shown there before. */
  busbar.showRounds = async (article, point, rounds, options) => {
    article.querySelector(".rounds")?.remove();
    if (!rounds || rounds.length === 0) return;
    const { unit, rows } = rowsOf(rounds);
    const places = Object.keys(specs).map(() => busbar.make("div", { className: "chart" }));
    const panel = busbar.make("section", { className: "rounds" },
      busbar.make("h4", {}, `${point.run}${point.series ? `, ${point.series}` : ""}, ${point.size}: ${rows.length} rounds`),
      busbar.button("close", "Close the rounds", () => panel.remove()),
      busbar.make("div", { className: "grid" }, ...places));
    article.querySelector(".grid").after(panel);
    await Promise.all(Object.values(specs).map((spec, i) =>
      vegaEmbed(places[i], { ...withUnit(spec, unit), datasets: { rounds: rows } }, options)));
    for (const [i, what] of Object.keys(specs).entries()) {
      places[i].setAttribute("role", "img");
      places[i].setAttribute("aria-label", `rounds of this case: ${what}`);
      places[i].querySelector("svg").setAttribute("aria-hidden", "true");
    }
    panel.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  };
})();
