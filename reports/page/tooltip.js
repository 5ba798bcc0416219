// What a chart over message size says of the point under the pointer: the same figures as the tables, as precise.
(() => {
  const unknown = "unknown";
  const digits = (value, count) => String(Number(value.toPrecision(count)));

  function time(seconds) {
    if (seconds === undefined) return unknown;
    const [unit, scale] = busbar.unitOf(seconds);
    return `${digits(seconds / scale, 3)} ${unit}`;
  }

  const bandwidth = (value) => (value === undefined ? unknown : `${digits(value, 4)} GB/s`);

  function interval({ time_low, time_high, confidence }) {
    if (confidence === undefined) return undefined;
    return `${time(time_low)} to ${time(time_high)} (${digits(100 * confidence, 3)} %)`;
  }

  /** The figures of a point as texts; undefined where it has none. */
  busbar.factsOf = (point) => ({
    run: point.run,
    series: point.series || undefined,
    size: point.size,
    time: time(point.time),
    interval: interval(point),
    p99: time(point.p99),
    algbw: bandwidth(point.algbw),
    busbw: bandwidth(point.busbw),
    ceiling: point.ceiling_text,
  });

  /** HTML of a point's tooltip; `sanitize` makes text of markup. */
  busbar.tooltipOf = (point, sanitize) => {
    const rows = Object.entries(busbar.factsOf(point)).filter(([, text]) => text !== undefined);
    return `<table>${rows.map(([key, text]) => `<tr><td class="key">${key}</td><td class="value">${sanitize(text)}</td></tr>`).join("")}</table>`;
  };
})();
