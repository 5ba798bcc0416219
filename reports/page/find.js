// The search above the contents over sections, charts, cases and terms, and where these are few over the text of sections:
// "allreduce 4M" leads to #allreduce-4MiB, "AMD" to the section that has it.
(() => {
  const most = 12, few = 4; // shown; names below which the text of sections is searched, too
  const plain = (text) => text.toLowerCase().replace(/(\d)\s+(?=[kmgt]?i?b\b)/g, "$1");

  /** Everything that can be found, made when it is asked for first. */
  let all = null;
  function index() {
    if (all) return all;
    all = [...document.querySelectorAll("main > section")].filter((s) => s.querySelector("h2") && s.id !== "overview")
      .map((s) => ({ text: s.querySelector("h2").firstChild.textContent.trim(), kind: "section", anchor: s.id }));
    for (const article of document.querySelectorAll("article.charts[id]")) {
      const title = article.querySelector("h3").firstChild.textContent.trim();
      all.push({ text: title, kind: "chart", anchor: article.id });
      for (const size of Object.values(busbar.sizesOf(article)))
        all.push({ text: `${title}, ${size}`, kind: "case", anchor: `${article.id}-${size.replace(" ", "")}` });
    }
    for (const term of document.querySelectorAll("dt[id^='term-']")) all.push({ text: term.firstChild.textContent, kind: "term", anchor: term.id });
    for (const entry of all) entry.plain = plain(entry.text);
    return all;
  }

  /** The sections whose text has the words: names of hosts, libraries, causes. */
  const sectionsWith = (words) => [...document.querySelectorAll("main > section[id]")]
    .filter((s) => s.id !== "overview" && words.every((word) => plain(s.textContent).includes(word)))
    .map((s) => ({ text: s.querySelector("h2").firstChild.textContent.trim(), kind: "has these words", anchor: s.id }));

  function matches(query) {
    const words = plain(query).split(/[\s,]+/).filter(Boolean);
    const fits = (entry) => words.every((word) => /^\d/.test(word) ? entry.plain.split(/[\s,]+/).some((w) => w.startsWith(word)) : entry.plain.includes(word));
    if (words.length === 0) return [];
    const named = index().filter(fits);
    const first = named.filter((entry) => entry.plain.startsWith(words[0]));
    const others = named.length < few ? sectionsWith(words).filter((s) => named.every((entry) => entry.anchor !== s.anchor)) : [];
    return [...new Set([...first, ...named, ...others])].slice(0, most);
  }

  const input = busbar.make("input", { type: "search", placeholder: "Find: allreduce 4M", autocomplete: "off" });
  const list = busbar.make("ul", { id: "found", hidden: true });
  for (const [key, value] of Object.entries({ role: "combobox", "aria-label": "Find a section, a chart or a case", "aria-controls": "found", "aria-expanded": "false", "aria-autocomplete": "list" }))
    input.setAttribute(key, value);
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "what was found");
  const nothing = busbar.make("p", { hidden: true }, "Nothing found.");
  nothing.setAttribute("role", "status");
  let at = 0, found = [];

  function show() {
    nothing.hidden = found.length > 0 || document.activeElement !== input || input.value.trim() === "";
    list.replaceChildren(...found.map((entry, i) => {
      const item = busbar.make("li", { id: `found-${i}` }, `${entry.text} `, busbar.make("span", {}, entry.kind));
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(i === at));
      item.addEventListener("pointerdown", (event) => { event.preventDefault(); go(entry); });
      return item;
    }));
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    if (found.length > 0) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function go(entry) {
    found = [];
    show();
    input.blur();
    if (busbar.anchor() === entry.anchor) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = entry.anchor;
  }

  input.addEventListener("input", () => { [at, found] = [0, matches(input.value)]; show(); });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", () => { found = []; show(); });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) {
      event.preventDefault();
      at = (at + step + found.length) % found.length;
      show();
    } else if (event.key === "Enter" && found[at]) go(found[at]);
    else if (event.key === "Escape") { found = []; show(); }
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    document.querySelector("#contents details").open = true;
    input.focus();
  });
  document.querySelector("#contents summary").after(busbar.make("div", { id: "find" }, input, list, nothing));
})();
