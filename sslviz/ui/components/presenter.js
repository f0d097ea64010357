// The presenter view: one figure fills the screen, in large type, with the numbers above it and the
// step of a story below. Keys: Esc leaves, C shows the controls, F takes the next figure, R the ring
// that follows the mouse; arrows and page keys, as of a remote control, go through a story.

const PRESENTING = "sslviz-presenting";
// Attributes, as Streamlit writes the classes of its elements anew whenever it draws them.
const STAGE = "data-sslviz-stage", NUMBERS = "data-sslviz-numbers";
const HELP = "Esc: leave · C: controls · F: next figure · R: ring · ←→: story";

class Presenter {
  at = 0; // which of the figures

  constructor() {
    this.ring = Object.assign(document.createElement("div"), { className: "sslviz-ring", ariaHidden: "true" });
    document.body.append(this.ring);
    window.addEventListener("keydown", (e) => this.press(e), true); // before those that label a hovered point
    document.addEventListener("mousemove", (e) =>
      this.ring.style.setProperty("translate", `${e.clientX}px ${e.clientY}px`));
    document.addEventListener("fullscreenchange", () => document.fullscreenElement || this.leave());
    setInterval(() => this.arrange(), 250); // the page is drawn anew at every change
    // A link may end in #present; Streamlit has taken the end away when it wrote its settings.
    if (performance.getEntriesByType("navigation")[0]?.name.endsWith("#present")) this.enter();
  }

  get on() { return document.documentElement.classList.contains(PRESENTING); }

  showControls() { document.documentElement.classList.toggle("sslviz-controls"); }

  nextFigure() { this.at++; this.arrange(); }

  toggle() { this.on ? this.leave() : this.enter(); }

  enter() {
    document.documentElement.classList.add(PRESENTING);
    document.documentElement.requestFullscreen?.().catch(() => {}); // a window does as well
    this.arrange();
  }

  leave() {
    if (!this.on) return;
    document.documentElement.classList.remove(PRESENTING, "sslviz-controls");
    document.querySelectorAll(`[${STAGE}]`).forEach((one) => one.removeAttribute(STAGE));
    if (document.fullscreenElement) document.exitFullscreen();
  }

  // Figures that have a name of their own in the page, largest first: maps before charts.
  get figures() {
    return [...document.querySelectorAll(".sslviz-live")].map((live) => live.closest("[class*=st-key-]"))
      .filter((box) => box && box.querySelector(".sslviz-plot"));
  }

  arrange() {
    const { backgroundColor, color } = getComputedStyle(document.querySelector("[data-testid=stApp]") ?? document.body);
    for (const [name, value] of [["page", backgroundColor], ["ink", color]]) // of the theme, light or dark
      document.documentElement.style.setProperty(`--sslviz-${name}`, value);
    if (!this.on) return;
    const { figures } = this, chosen = figures[this.at % Math.max(figures.length, 1)];
    document.querySelectorAll(`[${STAGE}]`).forEach((one) => one === chosen || one.removeAttribute(STAGE));
    chosen?.setAttribute(STAGE, "");
    const number = document.querySelector("[data-testid=stMain] [data-testid=stMetric]");
    number?.closest("[data-testid=stHorizontalBlock]")?.setAttribute(NUMBERS, "");
    document.documentElement.classList.toggle("sslviz-told", !!document.querySelector(".st-key-story"));
  }

  press(event) {
    if (!this.on || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    if (target.closest("input:not([type=radio]), textarea, select, [role=slider], [contenteditable=true]")) return;
    const story = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" }[key];
    const button = story && document.querySelector(`[class*=st-key-open-story-${story}] button`);
    const act = { Escape: () => this.leave(), c: () => this.showControls(), f: () => this.nextFigure(),
      r: () => document.documentElement.classList.toggle("sslviz-no-ring") }[key.length === 1 ? key.toLowerCase() : key];
    if (!button && !act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button ? button.click() : act();
  }
}

