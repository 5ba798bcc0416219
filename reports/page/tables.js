// Tables can be sorted by any column: up, down, and as the page had them.
(() => {
  const units = {
    "": 1, "%": 1, x: 1, ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600,
    B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, KB: 1e3, MB: 1e6, GB: 1e9,
  };

  /** A number where the cell begins with one, in its smallest unit; else its text. */
  function value(row, column) {
    const text = row.cells[column]?.textContent.trim() ?? "";
    const found = /^[<~+]?(-?\d[\d.]*(?:e[+-]?\d+)?)\s*([A-Za-z%]*)/.exec(text);
    return found ? Number(found[1]) * (units[found[2]] ?? 1) : text;
  }

  /** Numbers before words, and what is not known last, in both directions. */
  function compare(a, b, direction) {
    const unknown = (v) => v === "-" || v === "" || v === "unknown";
    if (unknown(a) || unknown(b)) return unknown(a) - unknown(b);
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return direction * (typeof a === "number" ? a - b : a.localeCompare(b));
  }

  busbar.makeSortable = (table) => {
    const body = table.tBodies[0];
    const headers = [...table.tHead.rows[0].cells];
    const asMade = [...body.rows];
    if (asMade.length < 3) return;

    function sort(column) {
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      const order = next[headers[column].getAttribute("aria-sort") ?? "none"];
      for (const header of headers) header.removeAttribute("aria-sort");
      if (order !== "none") headers[column].setAttribute("aria-sort", order);
      const direction = order === "descending" ? -1 : 1;
      const keyed = asMade.map((row) => ({ row, key: value(row, column) }));
      if (order !== "none") keyed.sort((a, b) => compare(a.key, b.key, direction));
      body.append(...keyed.map(({ row }) => row));
    }

    headers.forEach((header, column) => {
      if (header.textContent === "") return;
      const control = busbar.button("", "Sort by this column", () => sort(column));
      control.className = "sort";
      control.append(...header.childNodes);
      header.append(control);
    });
  };

  for (const table of document.querySelectorAll("table")) busbar.makeSortable(table);
})();
