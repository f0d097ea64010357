// Buttons of every page, at its top: undo, redo, start over, copy the link, present. Undo and redo are
// the browser's Back and Forward within the app; live_figure.py puts browser_history.js before it.

const COPIED_SHOWN = 8000; // ms
// What an address only names: it is kept on the server, for so long after its last use (kept_files.py).
const ON_SERVER = {
  data: [/^\w+-[0-9a-f]{12}$/, "your data (for thirty days)"],
  hand: [/^saved-/, "your labels (for a year)"],
  story: [/^own-/, "the story (for a year)"],
};

// What a link does not carry, in a sentence or two.
function notInLink(address) {
  const values = new URL(address).searchParams;
  const kept = Object.entries(ON_SERVER).filter(([key, [form]]) => form.test(values.get(key) ?? "")).map(([, [, what]]) => what);
  const server = kept.length ? ` On this server only: ${kept.join(", ")}.` : "";
  return `Not in it: zoom, selected group, place in an animation.${server}`;
}

class PageButtons {
  constructor(past, presenter) {
    this.strip = Object.assign(document.createElement("nav"), { className: "sslviz-strip", ariaLabel: "Page" });
    this.undo = this.button("↶", "Undo (the browser's Back)", () => history.back());
    this.redo = this.button("↷", "Redo (the browser's Forward)", () => history.forward());
    this.button("Start over", "All settings of this page as at a first visit", () => location.assign(location.pathname));
    this.copy = this.button("Copy link", "A link to this page with all its settings, labels by hand and the selected point",
      () => this.copyLink());
    const onStage = [this.button("Controls", "Show or hide the controls (C)", () => presenter.showControls()),
      this.button("Next figure", "Show the next figure of the page (F)", () => presenter.nextFigure())];
    onStage.forEach((button) => button.classList.add("sslviz-on-stage"));
    this.present = this.button("Present", `Presenter view. ${HELP}`, () => presenter.toggle());
    this.said = Object.assign(document.createElement("span"), { role: "status" });
    this.strip.append(this.said);
    document.body.append(this.strip);
    setInterval(() => this.show(past, presenter), 250);
  }

  button(text, title, onclick) {
    const made = Object.assign(document.createElement("button"), { textContent: text, title, onclick, type: "button" });
    if (text.length === 1) made.ariaLabel = title.split(" ")[0];
    this.strip.append(made);
    return made;
  }

  show(past, presenter) {
    this.undo.disabled = past.place <= 0;
    this.redo.disabled = past.place >= past.last;
    this.strip.hidden = !presenter.figures.length;
    this.present.textContent = presenter.on ? "Leave" : "Present";
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.said.textContent = `Copied. ${notInLink(location.href)}`;
    } catch { // no clipboard without https: mark the address for the user to copy
      window.prompt(`The link of this page. ${notInLink(location.href)}`, location.href);
    }
    setTimeout(() => { this.said.textContent = ""; }, COPIED_SHOWN);
  }
}

