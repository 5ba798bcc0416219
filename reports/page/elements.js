"use strict";
// What the other scripts of the page share: making elements, units of time, and saving files.
const busbar = (() => {
  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function button(text, title, action) {
    const element = make("button", { type: "button", title }, text);
    element.addEventListener("click", action);
    return element;
  }

  function save(name, blob) {
    const url = URL.createObjectURL(blob);
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  /** A file name made of the words of a text. */
  const fileName = (text, suffix) =>
    (text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 80) || "busbar") + suffix;

  const timeUnits = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];

  /** The largest unit that is no longer than a time, and its seconds. */
  const unitOf = (seconds) => timeUnits.find(([, unit]) => seconds >= unit) ?? timeUnits.at(-1);

  return { make, button, save, fileName, unitOf };
})();
