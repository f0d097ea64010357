// One entry of the browser's history per page, which holds all its settings. Streamlit empties the
// address of a page before it goes to another, opens that one without settings, and then adds them,
// each time in an entry of its own: Back would lead to pages that have forgotten everything. live_figure.py
// puts it after drag_updates.js.

// An address without what was clicked in the pictures (clicked.py): of these Back leads through none.
function settled(address) {
  const url = new URL(address);
  for (const mark of ["point", "atom", "arrival"]) url.searchParams.delete(mark);
  return url.href;
}

class Entries {
  kept = location.href; // the address as it was when Python last rested, or the reader last changed it
  arriving = true; // since the page was opened Python has not rested
  added = false; // Python has written into the address since then

  constructor() {
    const [push, replace] = ["pushState", "replaceState"].map((name) => history[name].bind(history));
    Object.assign(this, { push, replace });
    history.replaceState = (...entry) => { replace(...entry); this.kept = location.href; };
    history.pushState = (state, title, url) => this.write(state, title, url);
    addEventListener("popstate", () => this.open(), true);
    new MutationObserver(() => busy() || this.rest())
      .observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] });
  }

  write(state, title, url) {
    const leaves = new URL(url, location).pathname !== location.pathname;
    if (leaves) {
      this.replace(state, title, this.kept); // what is left stays as it was
      this.push(state, title, url);
      this.open();
    } else {
      this.replace(state, title, url);
      this.added = true;
    }
  }

  open() {
    Object.assign(this, { kept: location.href, arriving: true, added: false });
  }

  rest() {
    const now = location.href;
    if (this.added && !this.arriving && settled(now) !== settled(this.kept)) { // a preset: Back leads to before
      this.replace({}, "", this.kept);
      this.push({}, "", now);
    }
    Object.assign(this, { kept: now, arriving: false, added: false });
  }
}
