// The browser's history as undo: an entry for each page with all its settings, and one for each
// change of a setting. Streamlit empties the address of a page before it goes to another, opens that
// one without settings, and then adds them, each time in an entry of its own: Back would lead to pages
// that have forgotten everything. A change of a widget has no entry at all: Back would leave the app.
// live_figure.py puts drag_updates.js before it.

const MARKS = ["point", "atom", "arrival"]; // what was clicked in a picture (clicks.py): no entry of its own

function withoutMarks(address) {
  const url = new URL(address);
  for (const mark of MARKS) url.searchParams.delete(mark);
  return url.href;
}

const USERS_OWN = 700; // ms after a click or key within which a change is the user's and not Streamlit's

const QUICK_PAGE = 300; // ms: a page may be drawn so soon that Streamlit is never seen to be busy

const LATE_PAGE = 3000; // ms: between two runs, the second of which opens another page, Python may seem to rest

const ONE_CHANGE = 1500; // ms: a slider that is moved on is still the same change

// The query parameters in which two addresses differ, as one text.
function changedKeys(before, after) {
  const [a, b] = [before, after].map((address) => new URL(address).searchParams);
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key)).sort().join();
}

class BrowserHistory {
  place = history.state?.sslvizPlace ?? 0; // of the present entry, counted from the first of the app
  last = this.place; // of the newest entry
  touched = -Infinity; // when the user last clicked or pressed a key
  change = { keys: "", time: -Infinity }; // the last change of a widget
  settled = location.href; // the address when Python last came to rest, or the user last changed it
  opening = true; // Python has not come to rest since the page was opened
  openedAt = performance.now();
  written = false; // Python has written into the address since then
  added = -Infinity; // when it last got an entry for that
  otherData = false; // the user has chosen another data set: labels leave the address with the old one

  constructor() {
    const [push, replace] = ["pushState", "replaceState"].map((name) => history[name].bind(history));
    this.replace = (state, title, url) => replace({ ...state, sslvizPlace: this.place }, title, url);
    this.push = (state, title, url) => {
      this.last = ++this.place;
      push({ ...state, sslvizPlace: this.place }, title, url);
    };
    history.replaceState = (...entry) => this.amend(...entry);
    history.pushState = (state, title, url) => this.write(state, title, url);
    addEventListener("popstate", ({ state }) => { this.place = state?.sslvizPlace ?? 0; this.open(); }, true);
    for (const kind of ["pointerdown", "pointerup", "keydown", "change"])
      addEventListener(kind, ({ isTrusted }) => isTrusted && this.touch(performance.now()), true);
    onPythonState(() => isPythonBusy() || this.rest());
  }

  touch(time) {
    if (this.opening && !isPythonBusy() && time - this.openedAt > QUICK_PAGE) this.rest();
    this.touched = time;
  }

  write(state, title, url) {
    if (new URL(url, location).pathname === location.pathname) {
      this.replace(state, title, url);
      this.written = true;
    } else {
      const now = performance.now();
      const late = this.touched < this.added && now - this.added < LATE_PAGE;
      if (!late) { // else the newest entry is that of an address on the way to the other page
        this.replace(state, title, this.settled); // the page that is left keeps its settings
        this.push(state, title, url);
      } else this.replace(state, title, url);
      this.open();
    }
  }

  // A widget writes its value: a new entry, unless the last one is of the same widget and recent.
  amend(state, title, url) {
    const before = this.settled, after = new URL(url ?? location, location).href;
    const keys = changedKeys(withoutMarks(before), withoutMarks(after)), time = performance.now();
    const same = keys === this.change.keys && time - this.change.time < ONE_CHANGE;
    const own = time - this.touched < USERS_OWN && !this.opening;
    if (keys && !same && own && new URL(after).pathname === new URL(before).pathname) {
      this.replace(state, title, before);
      this.push(state, title, after);
      this.otherData = keys.split(",").includes("data");
    } else this.replace(state, title, after);
    if (keys) this.change = { keys, time };
    if (own || !this.written || this.opening) this.settled = after; // else Python's change: see rest
  }

  open() {
    Object.assign(this, { settled: location.href, opening: true, openedAt: performance.now(), written: false });
  }

  // Python has set something by itself, e.g. a preset or a label: Back leads to the settings before.
  rest() {
    const now = location.href;
    if (this.written && !this.opening && !this.otherData && withoutMarks(now) !== withoutMarks(this.settled)) {
      this.replace({}, "", this.settled);
      this.push({}, "", now);
      this.added = performance.now();
    }
    Object.assign(this, { settled: now, opening: false, written: false, otherData: false });
  }
}
