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
  const inSight = new Set();
  let current = null;
  let followed = false; // a link, whose section may be too near the end of the page to reach its top
  function mark(id) {
    if (!links.has(id)) return;
    current?.removeAttribute("aria-current");
    current = links.get(id);
    current.setAttribute("aria-current", "true");
  }
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inSight[isIntersecting ? "add" : "delete"](target);
    const first = [...inSight].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0];
    if (first && !followed) mark(first.id);
  }, { rootMargin: "-60px 0px -75% 0px" }); // what a link leads to begins above this line
  for (const type of ["wheel", "touchmove", "keydown"]) addEventListener(type, () => (followed = false), { passive: true });
  for (const section of document.querySelectorAll("main > section")) seen.observe(section);

  /** Opens the closed parts around what the address names. */
  function reveal() {
    const target = document.getElementById(busbar.anchor());
    if (!target) return;
    const own = target.querySelector(":scope > details.chapter");
    if (own) own.open = true;
    for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    target.scrollIntoView();
    followed = true;
    mark(target.closest("main > section")?.id);
  }
  addEventListener("hashchange", reveal);
  addEventListener("load", reveal);
})();
