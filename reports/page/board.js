// The board while busbar watch serves it: replaces its content when files were added. Opened chapters stay open.
(() => {
  let seen = document.querySelector("main").dataset.version;

  async function refresh() {
    const page = new DOMParser().parseFromString(await (await fetch("", { cache: "no-store" })).text(), "text/html");
    const open = new Set([...document.querySelectorAll("details[open]")].map((details) => details.id));
    const [now, next] = [document, page].map((of) => of.querySelector("main"));
    for (const details of next.querySelectorAll("details")) details.open = open.has(details.id);
    now.replaceWith(next);
    document.querySelector(".summary").textContent = page.querySelector(".summary").textContent;
    seen = next.dataset.version;
  }

  async function ask() {
    try {
      const { version } = await (await fetch("state", { cache: "no-store" })).json();
      if (version !== seen) await refresh();
    } catch {
      document.querySelector(".summary").textContent = "busbar watch has ended: this board is not refreshed any more.";
    }
    setTimeout(ask, 2000);
  }
  setTimeout(ask, 2000);
})();
