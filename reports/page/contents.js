// The contents: closed at first where they would cover the page, the current section marked, and what a link points at opened.
(() => {
  const contents = document.querySelector("#contents details");
  const narrow = matchMedia("(max-width: 1000px)");
  const fit = () => (contents.open = !narrow.matches);
  narrow.addEventListener("change", fit);
  fit();
  contents.addEventListener("click", (event) => {
    if (narrow.matches && event.target.closest("a")) contents.open = false;
  });

  const links = new Map([...contents.querySelectorAll("a")].map((a) => [a.hash.slice(1), a]));
  let current = null;
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting || !links.has(entry.target.id)) continue;
      current?.removeAttribute("aria-current");
      current = links.get(entry.target.id);
      current.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "0px 0px -75% 0px" });
  for (const section of document.querySelectorAll("main > section")) seen.observe(section);

  /** Opens the closed parts around what the address names. */
  function reveal() {
    const target = document.getElementById(busbar.anchor());
    if (!target) return;
    const own = target.querySelector(":scope > details.chapter");
    if (own) own.open = true;
    for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  addEventListener("load", reveal);
})();
