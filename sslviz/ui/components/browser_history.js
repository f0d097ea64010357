// One entry of the browser's history per page, which holds all its settings. Streamlit empties the
// address of a page before it goes to another, opens that one without settings, and then adds them,
// each time in an entry of its own: Back would lead to pages that have forgotten everything.
// live_figure.py puts drag_updates.js before it.

const MARKS = ["point", "atom", "arrival"]; // what was clicked in a picture (clicks.py): no entry of its own

function withoutMarks(address) {
  const url = new URL(address);
  for (const mark of MARKS) url.searchParams.delete(mark);
  return url.href;
}

class BrowserHistory {
  settled = location.href; // the address when Python last came to rest, or the user last changed it
  opening = true; // Python has not come to rest since the page was opened
  written = false; // Python has written into the address since then

  constructor() {
    const [push, replace] = ["pushState", "replaceState"].map((name) => history[name].bind(history));
    Object.assign(this, { push, replace });
    history.replaceState = (...entry) => { replace(...entry); this.settled = location.href; };
    history.pushState = (state, title, url) => this.write(state, title, url);
    addEventListener("popstate", () => this.open(), true);
    onPythonState(() => isPythonBusy() || this.rest());
  }

  write(state, title, url) {
    if (new URL(url, location).pathname === location.pathname) {
      this.replace(state, title, url);
      this.written = true;
    } else {
      this.replace(state, title, this.settled); // the page that is left keeps its settings
      this.push(state, title, url);
      this.open();
    }
  }

  open() {
    Object.assign(this, { settled: location.href, opening: true, written: false });
  }

  // Python has set something by itself, e.g. a preset or a label: Back leads to the settings before.
  rest() {
    const now = location.href;
    if (this.written && !this.opening && withoutMarks(now) !== withoutMarks(this.settled)) {
      this.replace({}, "", this.settled);
      this.push({}, "", now);
    }
    Object.assign(this, { settled: now, opening: false, written: false });
  }
}
