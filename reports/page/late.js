// The closed tables of a large page stand behind it as text, and become tables when they are opened: a browser is slow with
// many rows, and the first chart does not wait for them.
for (const details of document.querySelectorAll("details[data-late]")) {
  details.addEventListener("toggle", () => {
    const source = document.getElementById(`late-${details.dataset.late}`);
    if (!source || details.childElementCount > 1) return; // not read yet; or shown already
    const place = busbar.make("div", { innerHTML: source.textContent });
    details.append(place);
    for (const table of place.querySelectorAll("table")) busbar.makeSortable(table);
    busbar.markTerms(place);
  });
}
