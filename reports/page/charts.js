// Draws the charts of the page; every number comes with the page. One legend per card works on all of its charts. Charts of
// at most four lines have their names at the lines, and a legend only where they are too narrow for that.
(() => {
  const config = JSON.parse(document.getElementById("chart-config").textContent);
  const options = {
    mode: "vega-lite",
    config,
    renderer: "svg",
    actions: false,
    defaultStyle: false,
    ast: true, // expressions are interpreted, not compiled: the page's security policy forbids eval
    tooltip: { disableDefaultStyle: true, theme: "busbar" },
  };

  /** Rows of columns; null is left out. A column that is no list has one value for all rows. Each row knows its place. */
  function rowsOf(columns) {
    return (columns.line ?? []).map((_, index) => {
      const row = { index };
      for (const [key, values] of Object.entries(columns)) {
        const value = Array.isArray(values) ? values[index] : values;
        if (value !== null) row[key] = value;
      }
      return row;
    });
  }

  /** Adds the text of its size to a point, and bandwidths where they follow from size and time. */
  function complete(point, sizes) {
    point.size = sizes[point.bytes];
    if (point.factor === undefined) return;
    const algbw = point.bytes / point.time / 1e9;
    point.algbw = Number(algbw.toPrecision(5));
    point.busbw = Number((point.factor * algbw).toPrecision(5));
    delete point.factor;
  }

  /** The main chart of the overview is the first one of a card below, over that card's data. */
  function fillMainChart(article) {
    const card = document.getElementById(article.dataset.of);
    const shown = [...card.querySelectorAll(".plot:not([hidden])")];
    const plot = shown.find((p) => p.querySelector("h4")?.textContent.startsWith(article.dataset.plot)) ?? shown[0];
    if (!plot) return article.remove(); // a picture that needs no script
    const title = busbar.make("h3", {}, busbar.make("a", { href: `#${card.id}` }, card.querySelector("h3").firstChild.textContent.trim()));
    const legend = card.querySelector(".legend");
    article.append(title, ...(legend ? [legend.cloneNode(true)] : []), busbar.make("div", { className: "grid" }, plot.cloneNode(true)));
  }

  class Card {
    constructor(article) {
      this.article = article;
      this.plots = [...article.querySelectorAll(".plot")];
      this.views = new Map(); // by plot
      this.switches = [];
      this.legend = article.querySelector(".legend");
      this.buttons = [...article.querySelectorAll(".legend button[data-list]")];
      this.connectLegend();
      this.addTools();
      this.chosen = this.hiddenEntries().join("|");
      this.asMade = this.hiddenWords().join("|");
      const wanted = busbar.hiddenOf(article.id);
      if (wanted) this.hideWords(wanted);
    }

    hiddenEntries() {
      return this.buttons.filter((b) => b.getAttribute("aria-pressed") === "false").map((b) => b.dataset.label);
    }

    /** The verdict on a point as the report gives it; empty without one. */
    verdictOn(index) {
      const verdicts = this.data.verdicts ?? {};
      const at = (key) => (Array.isArray(verdicts[key]) ? verdicts[key][index] : verdicts[key]) ?? undefined;
      if (at("judgement") === undefined) return {};
      return {
        judgement: at("judgement"), over_line: at("over_line"), growing_share: at("growing_share"),
        grade: verdicts.grade_texts[at("grade")], remarks: verdicts.remark_texts[at("remarks")]?.split("\n") ?? [],
      };
    }

    /** What is hidden: entries of the legend, and words of the buttons. */
    hiddenWords() {
      return [...this.hiddenEntries(), ...this.switches.filter((s) => s.off).map((s) => s.word)];
    }

    hideWords(words) {
      for (const button of this.buttons) this.showEntry(button, !words.includes(button.dataset.label));
      for (const one of this.switches) one.off = words.includes(one.word);
      this.applySwitches();
      this.showChoice();
    }

    /** Says which lines are shown, while they are those that the report chose. */
    showChoice() {
      const choice = this.legend?.querySelector(".choice");
      if (choice) choice.hidden = this.hiddenEntries().join("|") !== this.chosen;
    }

    keepHidden() {
      const words = this.hiddenWords();
      if (this.article.id) busbar.keepHidden(this.article.id, words.join("|") === this.asMade ? null : words);
    }

    showEntry(button, shown) {
      button.setAttribute("aria-pressed", String(shown));
      button.hidden &&= !shown; // one that is for later comes when it is shown first
    }

    /** Specifications and points, read when they are needed first. */
    get data() {
      const owner = document.getElementById(this.article.dataset.of) ?? this.article;
      const data = JSON.parse(owner.querySelector('script[type="application/json"]').textContent);
      data.points = rowsOf(data.points);
      data.lines = rowsOf(data.lines);
      data.ratios = rowsOf(data.ratios ?? {});
      if (data.sizes) for (const point of data.points) complete(point, data.sizes);
      Object.defineProperty(this, "data", { value: data });
      return data;
    }

    hidden(list) {
      return this.buttons
        .filter((b) => b.dataset.list === list && b.getAttribute("aria-pressed") === "false")
        .map((b) => b.dataset.label);
    }

    applyLegend() {
      const [runs, series] = ["hidden_runs", "hidden_series"].map((list) => this.hidden(list));
      this.hiddenNow = null;
      for (const view of this.views.values()) view?.signal("hidden_runs", runs).signal("hidden_series", series).runAsync(); // null: being drawn
    }

    isHidden({ run, series }) {
      return this.hidden("hidden_runs").includes(run) || this.hidden("hidden_series").includes(series);
    }

    connectLegend() {
      const more = this.legend?.querySelector(".more");
      const show = this.showEntry;
      const update = () => {
        if (more && this.buttons.every((b) => b.getAttribute("aria-pressed") === "true")) more.remove();
        this.applyLegend();
        this.showChoice();
        this.keepHidden();
      };
      more?.addEventListener("click", () => {
        for (const button of this.buttons) show(button, true);
        update();
      });
      for (const button of this.buttons) {
        button.addEventListener("click", () => {
          show(button, button.getAttribute("aria-pressed") === "false");
          update();
        });
      }
      this.legend?.querySelector(".all")?.addEventListener("click", () => {
        const first = this.buttons.filter((b) => b.dataset.list === this.buttons[0].dataset.list);
        const any = first.some((b) => b.getAttribute("aria-pressed") === "true");
        for (const button of first) show(button, !any);
        update();
      });
    }

    /** What is shown of several quantities or sizes, and the data as a file. */
    addTools() {
      const tools = busbar.make("div", { className: "tools" });
      const words = this.plots.map((plot) => this.wordsOf(plot));
      const kinds = Math.max(0, ...words.map((of) => of.length));
      for (let kind = 0; kind < kinds; kind++) {
        const all = [...new Set(words.map((of) => of[kind]).filter(Boolean))];
        if (all.length > 1) tools.append(busbar.make("span", { className: "choices" }, ...all.map((word) => this.switchOf(word, kind))));
      }
      tools.append(busbar.button("data (CSV)", "Download the numbers of these charts", () => busbar.saveData(this.article, this.data)));
      this.article.querySelector(".grid").before(tools);
    }

    /** A button that shows or hides the plots with this word; each is shown while all of its words are pressed. */
    switchOf(word, kind) {
      const off = this.plots.every((plot) => this.wordsOf(plot)[kind] !== word || plot.hidden);
      const one = { word, kind, off };
      one.control = busbar.button(word, `Show or hide ${word}`, () => {
        one.off = !one.off;
        this.applySwitches();
        this.draw();
        this.keepHidden();
      });
      one.control.setAttribute("aria-pressed", String(!off));
      this.switches.push(one);
      const mark = busbar.explain(word);
      return mark ? busbar.make("span", {}, one.control, mark) : one.control;
    }

    applySwitches() {
      for (const { control, off } of this.switches) control.setAttribute("aria-pressed", String(!off));
      for (const plot of this.plots)
        plot.hidden = this.switches.some(({ word, kind, off }) => off && this.wordsOf(plot)[kind] === word);
    }

    /** The words of a plot: quantities, sizes. */
    wordsOf(plot) {
      return plot.dataset.words?.split("|") ?? [plot.dataset.name].filter(Boolean);
    }

    addSaving(plot, view) {
      const saving = busbar.make("div", { className: "saving" });
      for (const format of ["svg", "png"])
        saving.append(busbar.button(format.toUpperCase(), `Download this chart as ${format.toUpperCase()}`, () => busbar.saveChart(this.article, plot, view, format)));
      plot.append(saving);
    }

    /** The specification of a plot, without labels where it is too narrow for them, and with what the legend hides. */
    specOf(plot, place) {
      const spec = { ...this.data.specs[place.dataset.quantity] };
      const labels = spec.usermeta?.busbar.labels;
      if (labels && place.clientWidth < 2.5 * labels + 120) {
        spec.layer = spec.layer.filter((layer) => layer.name !== "labels");
        this.legend.hidden = false;
      }
      spec.params = spec.params.map((of) => (of.name.startsWith("hidden_") ? { ...of, value: this.hidden(of.name) } : of));
      return spec;
    }

    /** The points of a chart with the names and colours of their lines, for pointing at them. */
    connectPointing(place, view, { busbar: about }) {
      const { points, ratios, lines, rounds } = this.data;
      const line = new Map(lines.map((l) => [l.line, l]));
      const own = (place.dataset.quantity === "ratio" ? ratios : points)
        .filter((p) => about.plot === undefined || p.plot === about.plot)
        .map((p) => Object.assign(Object.create(line.get(p.line)), p));
      const open = rounds && !about.facts ? (point) => busbar.showRounds(this.article, point, rounds[point.index], options) : undefined;
      return busbar.pointAt(place, view, own, about, (point) => !this.hiddenLines().has(point.line), open);
    }

    /** Numbers of the lines that the legend hides; kept until it changes. */
    hiddenLines() {
      return (this.hiddenNow ??= new Set(this.data.lines.filter((line) => this.isHidden(line)).map((line) => line.line)));
    }

    /** Draws one plot, unless it is hidden or drawn. */
    async drawPlot(plot) {
      if (plot.hidden || this.views.has(plot)) return;
      const place = plot.querySelector(".chart");
      this.views.set(plot, null);
      try {
        const { points, lines, ratios } = this.data;
        const described = { role: "img", "aria-label": place.getAttribute("aria-label") }; // Vega writes its own
        const spec = this.specOf(plot, place);
        const { view } = await vegaEmbed(place, { ...spec, datasets: { points, lines, ratios } }, options);
        this.views.set(plot, view);
        for (const [name, text] of Object.entries(described)) place.setAttribute(name, text);
        place.removeAttribute("aria-roledescription");
        place.querySelector("svg").setAttribute("aria-hidden", "true"); // the label says what its marks would
        this.addSaving(plot, view);
        if (spec.usermeta) this.connectPointing(place, view, spec.usermeta);
      } catch (error) {
        place.textContent = `This chart could not be drawn (${error.message}). Its figures are in the tables.`;
        console.error(error);
      }
    }

    async draw() {
      for (const plot of this.plots) await this.drawPlot(plot);
    }
  }

  /** The sizes of a card, by bytes. Cards that are not over size have none. */
  busbar.sizesOf = (article) => cards.get(article)?.data.sizes ?? {};
  /** The points of a card at one size, with the names of their lines and the verdicts on them. */
  busbar.pointsAt = (article, bytes) => {
    const card = cards.get(article);
    const line = new Map(card.data.lines.map((l) => [l.line, l]));
    const points = card.data.points.filter((point) => point.bytes === bytes);
    return points.map((point) => ({ ...line.get(point.line), ...point, ...card.verdictOn(point.index) }));
  };

  // Cards in sight first, the others when there is nothing else to do. A picture that needs no script has no grid.
  for (const article of document.querySelectorAll(".charts[data-of]")) fillMainChart(article);
  const cards = new Map([...document.querySelectorAll(".charts:has(.grid)")].map((article) => [article, new Card(article)]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) cards.get(entry.target).draw();
  }, { rootMargin: "100px" });
  for (const article of cards.keys()) seen.observe(article);
  // Whoever moves the mouse is not made to wait for a chart that is out of sight: these are drawn one at a time.
  let touched = 0;
  for (const event of ["pointermove", "wheel", "keydown", "touchmove"])
    addEventListener(event, () => (touched = performance.now()), { passive: true });
  const whenIdle = window.requestIdleCallback ?? ((action) => setTimeout(action, 50));
  const others = [...cards.values()].flatMap((card) => card.plots.map((plot) => [card, plot]));
  const next = () => {
    if (touched > 0 && performance.now() - touched < 500) return void setTimeout(next, 250);
    const other = others.shift();
    if (other) other[0].drawPlot(other[1]).then(() => whenIdle(next));
  };
  whenIdle(next);
  // A chart follows the width of its place, which also changes when plots beside it are hidden.
  const widths = new WeakMap();
  const resized = new ResizeObserver((entries) => {
    const changed = entries.filter(({ target }) => widths.has(target) && widths.get(target) !== target.clientWidth);
    for (const { target } of entries) widths.set(target, target.clientWidth);
    if (changed.length > 0) requestAnimationFrame(() => dispatchEvent(new Event("resize")));
  });
  for (const place of document.querySelectorAll(".chart")) resized.observe(place);
})();
