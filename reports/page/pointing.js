// Pointing at a chart of lines, with a pointer or the arrow keys: figures of the nearest point, and a thin rule with the
// values at the same message size in all charts in sight. Points are found here, in sorted lists: Vega would build a
// diagram of cells for each chart.
(() => {
  const namespace = "http://www.w3.org/2000/svg";
  const lineHeight = 13; // px, of values beside the rule
  const charts = new Set(); // with a size axis
  let pointed = null; // the chart that shows a tooltip

  function shape(name, attributes, text) {
    const made = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const tooltip = busbar.make("div", { id: "vg-tooltip-element", className: "busbar-theme" }); // Vega uses the same for bars
  const live = busbar.make("div", { className: "spoken" });
  live.setAttribute("aria-live", "polite");
  document.body.append(tooltip, live);

  /** Shows rows of two texts beside a place of the window. */
  function showTooltip(rows, x, y) {
    tooltip.replaceChildren(busbar.make("table", {}, ...rows.map(([key, text]) =>
      busbar.make("tr", {}, busbar.make("td", { className: "key" }, key), busbar.make("td", { className: "value" }, text)))));
    tooltip.classList.add("visible", "busbar-theme");
    const { width, height } = tooltip.getBoundingClientRect();
    const gap = 12;
    tooltip.style.left = `${Math.max(0, x + gap + width > innerWidth ? x - gap - width : x + gap)}px`;
    tooltip.style.top = `${Math.max(0, y + gap + height > innerHeight ? y - gap - height : y + gap)}px`;
  }

  const hideTooltip = () => tooltip.classList.remove("visible");

  /** Moves heights apart, in order, so that texts do not cover each other. */
  function movedApart(wanted, low, high) {
    const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
    const at = [...wanted];
    let next = low;
    for (const i of order) next = (at[i] = Math.max(at[i], next)) + lineHeight;
    next = high;
    for (const i of order.reverse()) next = (at[i] = Math.min(at[i], next)) - lineHeight;
    return at;
  }

  /** Index of the number nearest to a value, in an ascending list. */
  function nearest(sorted, value, distance) {
    let low = 0, high = sorted.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && distance(sorted[low - 1]) <= distance(sorted[low]) ? low - 1 : low;
  }

  class Pointing {
    /** `about`: what the specification says of the chart's points; `isShown`: whether the legend shows a point's line. */
    constructor(place, view, points, about, isShown, onOpen) {
      Object.assign(this, { place, view, about, isShown, onOpen, inSight: true, shownAt: null, down: null });
      this.byX = new Map();
      for (const point of points) {
        const x = point[about.x], y = point[about.y];
        if (x === undefined || y === undefined || (about.sizes && !(x > 0))) continue;
        if (!this.byX.has(x)) this.byX.set(x, []);
        this.byX.get(x).push(point);
      }
      this.xs = [...this.byX.keys()].sort((a, b) => a - b);
      this.overlay = shape("svg", { class: "pointing", "aria-hidden": "true" });
      place.append(this.overlay);
      if (about.sizes) charts.add(this);
      new IntersectionObserver(([entry]) => (this.inSight = entry.isIntersecting)).observe(place);
      this.listen();
    }

    listen() {
      const at = (event) => (this.event = event);
      const later = () => {
        if (this.waits) return;
        this.waits = true;
        requestAnimationFrame(() => {
          this.waits = false;
          if (this.event) this.pointAt(this.event.clientX, this.event.clientY);
        });
      };
      this.place.addEventListener("pointermove", (event) => {
        if (event.buttons && event.pointerType === "mouse") return this.clearAll(); // the chart is being moved
        at(event);
        later();
      });
      this.place.addEventListener("pointerdown", (event) => {
        this.down = [event.clientX, event.clientY];
        if (event.pointerType !== "mouse") at(event), later();
      });
      this.place.addEventListener("pointerleave", () => this.clearAll());
      this.place.addEventListener("wheel", (event) => (event.ctrlKey || event.metaKey) && this.clearAll(), { passive: true });
      this.place.addEventListener("click", (event) => {
        const [x, y] = this.down ?? [event.clientX, event.clientY];
        if (Math.hypot(event.clientX - x, event.clientY - y) > 4) return; // the chart was moved
        this.pointAt(event.clientX, event.clientY);
        if (this.point) this.onOpen?.(this.point);
      });
      this.place.addEventListener("keydown", (event) => this.press(event));
      this.place.addEventListener("blur", () => this.clearAll());
    }

    shownPoints(x) {
      return (this.byX.get(x) ?? []).filter(this.isShown);
    }

    /** Values of x that a shown line has. */
    shownXs() {
      return this.xs.filter((x) => this.byX.get(x).some(this.isShown));
    }

    /** The corner of the area of the curves, in the chart's own pixels. */
    corner() {
      const [x, y] = this.view.origin(), { left, top } = this.view.padding();
      return [x + left, y + top];
    }

    /** Where a point is in the chart's own pixels. */
    where(point) {
      const [left, top] = this.corner();
      return [left + this.view.scale("x")(point[this.about.x]), top + this.view.scale("y")(point[this.about.y])];
    }

    pointAt(clientX, clientY) {
      const box = this.place.getBoundingClientRect(), [left, top] = this.corner(), margin = 16;
      const x = clientX - box.x - left, y = clientY - box.y - top;
      const outside = x < -margin || x > this.view.width() + margin || y < -margin || y > this.view.height() + margin;
      const xs = outside ? [] : this.shownXs();
      if (xs.length === 0) return this.clearAll();
      const scale = this.view.scale("x");
      const at = xs[nearest(xs, scale.invert(x), (value) => Math.abs(scale(value) - x))];
      const points = this.shownPoints(at);
      const distance = (point) => Math.abs(this.where(point)[1] - top - y);
      this.select(points.reduce((a, b) => (distance(b) < distance(a) ? b : a)), clientX, clientY);
    }

    /** Shows a point's figures at a place of the window, and its x in all charts that have it. */
    select(point, clientX, clientY) {
      pointed = this;
      this.point = point;
      const at = point[this.about.x];
      this.show(at);
      if (this.about.sizes)
        for (const other of charts)
          if (other !== this && (other.inSight || other.shownAt !== null)) other.show(at);
      showTooltip(this.rowsOf(point), clientX, clientY);
    }

    rowsOf(point) {
      const { facts } = this.about;
      return facts ? facts.map((label, i) => [label, point.facts[i]]) : busbar.factsOf(point);
    }

    valueOf(point) {
      const { facts, value, y } = this.about;
      return value === undefined ? busbar.valueText(point[y], facts ? "" : y) : point.facts[value];
    }

    /** Draws the rule and the values at an x, or nothing if the chart does not have it. */
    show(at) {
      const points = this.shownPoints(at);
      this.shownAt = points.length > 0 ? at : null;
      if (points.length === 0) return this.overlay.replaceChildren();
      const [start, top] = this.corner(), height = this.view.height(), width = this.view.width();
      const places = points.map((point) => this.where(point)), x = places[0][0];
      const heights = movedApart(places.map(([, y]) => y), top + 6, top + height - 6);
      const left = x > start + 0.7 * width;
      const drawn = [shape("line", { class: "rule", x1: x, x2: x, y1: top, y2: top + height })];
      points.forEach((point, i) => {
        const fill = `var(--line-${point.colour})`;
        const text = { x: x + (left ? -9 : 9), y: heights[i], fill, "text-anchor": left ? "end" : "start" };
        drawn.push(shape("circle", { cx: x, cy: places[i][1], r: 4.5, fill }), shape("text", text, this.valueOf(point)));
      });
      this.overlay.replaceChildren(...drawn);
    }

    clear() {
      this.shownAt = null;
      this.overlay.replaceChildren();
    }

    clearAll() {
      this.event = this.point = null;
      this.clear();
      if (pointed !== this) return;
      pointed = null;
      hideTooltip();
      for (const chart of charts) if (chart.shownAt !== null) chart.clear();
    }

    /** Arrow keys: left and right along x, up and down between lines; Enter opens the point, Escape leaves it. */
    press(event) {
      const xs = this.shownXs();
      const at = this.point ? xs.indexOf(this.point[this.about.x]) : -1;
      const byHeight = this.point ? [...this.shownPoints(xs[at])].sort((a, b) => this.where(a)[1] - this.where(b)[1]) : [];
      const to = {
        ArrowLeft: () => this.nearTo(xs[at < 0 ? xs.length - 1 : Math.max(at - 1, 0)]),
        ArrowRight: () => this.nearTo(xs[at < 0 ? 0 : Math.min(at + 1, xs.length - 1)]),
        Home: () => this.nearTo(xs[0]),
        End: () => this.nearTo(xs.at(-1)),
        ArrowUp: () => byHeight[Math.max(byHeight.indexOf(this.point) - 1, 0)],
        ArrowDown: () => byHeight[Math.min(byHeight.indexOf(this.point) + 1, byHeight.length - 1)],
      }[event.key];
      if (event.key === "Escape") this.clearAll();
      if (event.key === "Enter" && this.point) this.onOpen?.(this.point);
      const point = to && xs.length > 0 ? to() : undefined;
      if (!point) return;
      event.preventDefault();
      const box = this.place.getBoundingClientRect(), [x, y] = this.where(point);
      this.select(point, box.x + x, box.y + y);
      this.speak(point);
    }

    /** The point of the line that was last pointed at, or the first, at an x. */
    nearTo(x) {
      const points = this.shownPoints(x);
      return points.find((point) => point.line === this.point?.line) ?? points[0];
    }

    speak(point) {
      const others = this.shownPoints(point[this.about.x]).filter((other) => other !== point);
      const also = others.map((other) => `${busbar.lineName(other)}: ${this.valueOf(other)}`);
      live.textContent = [...this.rowsOf(point).map(([key, text]) => `${key} ${text}`), ...also].join("; ");
    }
  }

  busbar.pointAt = (...of) => new Pointing(...of);
})();
