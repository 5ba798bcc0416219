// What a chart says of a point: the same figures as the tables, as precise.
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

  /** A value of a quantity with its unit, short; of a quantity that is not known here, the number. */
  busbar.valueText = (value, quantity) => (quantity === "time" ? time(value) : digits(value, 3) + (quantity ? " GB/s" : ""));

  busbar.lineName = ({ run, series }) => [run, series].filter(Boolean).join(", ");

  /** "32 % of 200.00 GB/s: network between nodes". */
  const ceiling = ({ ceiling_text, ceiling, busbw }) =>
    ceiling_text === undefined || busbw === undefined ? ceiling_text : `${digits((100 * busbw) / ceiling, 3)} % of ${ceiling_text}`;

  /** Rows of the tooltip of a point over message size. */
  busbar.factsOf = (point) => {
    const facts = {
      run: point.run,
      series: point.series || undefined,
      size: point.size,
      time: time(point.time),
      interval: interval(point),
      p99: time(point.p99),
      algbw: bandwidth(point.algbw),
      busbw: bandwidth(point.busbw),
      ceiling: ceiling(point),
    };
    return Object.entries(facts).filter(([, text]) => text !== undefined);
  };
})();
