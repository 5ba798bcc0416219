// The live page: asks the server every second what it knows and shows it. All texts and numbers come from there.
(() => {
  const { make } = busbar;
  const part = (id) => document.getElementById(id);
  let failures = 0;

  /** Changes a text only if it differs, so that selections and screen readers are left alone. */
  function write(element, text) {
    if (element.textContent === text) return false;
    element.textContent = text;
    return true;
  }

  /** Makes `parent` have `count` children, the missing ones by `create`. */
  function fit(parent, count, create) {
    while (parent.children.length > count) parent.lastElementChild.remove();
    while (parent.children.length < count) parent.append(create(parent.children.length));
    return [...parent.children];
  }

  function showRow(row, { state, cells }, columns) {
    fit(row, cells.length, () => make("td")).forEach((cell, i) => {
      const wasEmpty = cell.textContent === "";
      const changed = write(cell, cells[i]);
      cell.dataset.head = columns[i];
      const kind = columns[i] === "remarks" ? "text" : columns[i] === "state" ? state : i === 0 ? "name" : "number";
      cell.className = kind + (changed && !wasEmpty ? " changed" : "");
    });
  }

  function newTable() {
    return make("article", { className: "charts" }, make("h3"), make("div", { className: "scroll", tabIndex: 0 },
      make("table", {}, make("thead", {}, make("tr")), make("tbody"))));
  }

  function showTable(article, { title, columns, rows }) {
    write(article.querySelector("h3"), title);
    const scroll = article.querySelector(".scroll");
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", title);
    const heads = fit(article.querySelector("thead tr"), columns.length, () => make("th", { scope: "col" }));
    heads.forEach((head, i) => {
      write(head, columns[i]);
      head.className = ["remarks", "state", "case"].includes(columns[i]) ? "name" : "number";
    });
    const lines = fit(article.querySelector("tbody"), rows.length, () => make("tr"));
    lines.forEach((line, i) => showRow(line, rows[i], columns));
  }

  function newChart() {
    return make("article", { className: "charts live" }, make("h3"), make("p", { className: "caption" }),
      make("div", { className: "picture" }), make("div", { className: "keys" }));
  }

  function showChart(article, { title, caption, svg, legend }) {
    write(article.querySelector("h3"), title);
    write(article.querySelector(".caption"), caption);
    const picture = article.querySelector(".picture");
    if (picture.dataset.drawn !== svg) picture.innerHTML = picture.dataset.drawn = svg;  // its texts are escaped
    fit(article.querySelector(".keys"), legend.length, () => make("span")).forEach((key, i) => {
      write(key, legend[i].label);
      key.className = `key c${legend[i].colour}`;
    });
  }

  function showProgress({ share, text }) {
    const bar = part("progress");
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    write(part("time"), text);
  }

  function showAlarms(alarms) {
    part("alarms").hidden = alarms.length === 0;
    fit(part("alarms").querySelector("ul"), alarms.length, () => make("li")).forEach((item, i) => {
      write(item, alarms[i].text);
      item.className = alarms[i].bad ? "bad" : "";
    });
  }

  function show(state) {
    write(part("about"), state.about);
    write(part("state"), state.headline);
    part("state").className = `state ${state.phase}`;
    write(part("verdict"), state.verdict);
    showProgress(state.progress);
    showAlarms(state.alarms);
    fit(part("charts"), state.charts.length, newChart).forEach((article, i) => showChart(article, state.charts[i]));
    fit(part("tables"), state.tables.length, newTable).forEach((article, i) => showTable(article, state.tables[i]));
  }

  async function ask() {
    try {
      const state = await (await fetch("state", { cache: "no-store" })).json();
      show(state);
      failures = 0;
      if (state.report) return location.replace(state.report);  // once: the server ends when it has sent it
    } catch {
      failures += 1;
    }
    if (failures > 2) {
      write(part("state"), "busbar watch has ended: this page shows what it knew last.");
      part("state").className = "state gone";
    }
    setTimeout(ask, failures > 2 ? 5000 : 1000);
  }
  ask();
})();
