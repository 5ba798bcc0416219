"use strict";
// Draws the charts of the page; every number comes with the page. One legend per card works on all of its charts.
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

  function connectLegend(card, views) {
    const buttons = [...card.querySelectorAll(".legend button[data-list]")];
    const hidden = (list) =>
      buttons.filter((b) => b.dataset.list === list && b.getAttribute("aria-pressed") === "false").map((b) => b.dataset.label);
    const show = (button, shown) => button.setAttribute("aria-pressed", String(shown));
    const update = () => {
      for (const view of views) {
        view.signal("hidden_runs", hidden("hidden_runs")).signal("hidden_series", hidden("hidden_series")).runAsync();
      }
    };
    for (const button of buttons) {
      button.addEventListener("click", () => {
        show(button, button.getAttribute("aria-pressed") === "false");
        update();
      });
    }
    card.querySelector(".legend .all")?.addEventListener("click", () => {
      const runs = buttons.filter((b) => b.dataset.list === buttons[0].dataset.list);
      const any = runs.some((b) => b.getAttribute("aria-pressed") === "true");
      for (const button of runs) show(button, !any);
      update();
    });
  }

  async function draw(card) {
    const { points, lines, specs } = JSON.parse(card.querySelector('script[type="application/json"]').textContent);
    const views = [];
    for (const place of card.querySelectorAll(".chart")) {
      const spec = { ...specs[place.dataset.quantity], datasets: { points, lines } };
      try {
        views.push((await vegaEmbed(place, spec, options)).view);
      } catch (error) {
        place.textContent = `This chart could not be drawn (${error.message}). Its figures are in the tables.`;
        console.error(error);
      }
    }
    connectLegend(card, views);
  }

  for (const card of document.querySelectorAll(".charts")) draw(card);
})();
