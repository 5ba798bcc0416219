// The address of the page: an anchor, and after it what the charts hide, so that a link shows what its sender saw:
// #allreduce-4MiB&allreduce=algbw|vm. A file's address may change in its fragment only.
(() => {
  const part = (text) => decodeURIComponent(text);
  const parts = () => location.hash.slice(1).split("&");

  /** The anchor in the address; empty if there is none. */
  busbar.anchor = () => part(parts()[0]);

  const hidden = new Map(parts().slice(1).map((text) => text.split("=").map(part)).map(([card, words = ""]) => [card, words.split("|")]));

  /** What the address hides of a card; undefined: as the page was made. */
  busbar.hiddenOf = (card) => hidden.get(card);

  function write() {
    const words = [...hidden].map(([card, all]) => `&${encodeURIComponent(card)}=${encodeURIComponent(all.join("|"))}`);
    history.replaceState(null, "", `#${parts()[0]}${words.join("")}`);
  }

  /** Keeps what a card hides in the address; null: as the page was made. */
  busbar.keepHidden = (card, words) => {
    if (words) hidden.set(card, words);
    else hidden.delete(card);
    write();
  };
  addEventListener("hashchange", () => hidden.size > 0 && parts().length === 1 && write()); // a link within the page
})();
