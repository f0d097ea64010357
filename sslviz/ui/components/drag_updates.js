// Sliders that answer while they are dragged. Streamlit's tell Python their value only when the mouse
// button comes up. Here the slider is sent an event as if the button came up, and at once went down
// again, whenever the value has changed and Python is free. live_figure.py puts plotly_setup.js before it.

const LONGEST_WAIT = 2000; // ms: where the last answer took longer, Python is asked once, at the end
const CHECK_EVERY = 40; // ms

const isPythonBusy = () =>
  document.querySelector("[data-test-script-state]")?.dataset.testScriptState !== "notRunning";
const onPythonState = (act) => new MutationObserver(act)
  .observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] });
const sliderValues = (slider) =>
  [...slider.querySelectorAll("input[type=range]")].map(({ value }) => value).join();

class DragUpdates {
  drag = null; // the slider held, the last event of its pointer, the values Python knows, a timer
  startedAt = 0; // when Python was last given work
  lastTook = 0; // ms it worked then

  constructor() {
    const on = (type, act) => addEventListener(type, (e) => e.isTrusted && act(e), true);
    on("pointerdown", (e) => this.start(e));
    on("pointermove", (e) => { if (this.drag) this.drag.pointer = e; });
    on("pointerup", () => this.end());
    on("pointercancel", () => this.end());
    onPythonState(() => this.measure());
  }

  measure() {
    if (isPythonBusy()) this.startedAt ||= performance.now();
    else if (this.startedAt) [this.lastTook, this.startedAt] = [performance.now() - this.startedAt, 0];
  }

  // A finger is left alone: a slider listens to touches beside the events of its pointer.
  start(e) {
    this.end();
    const slider = e.target.closest?.("[data-testid=stSlider]");
    if (!slider || e.pointerType !== "mouse" || e.button !== 0) return;
    const timer = setInterval(() => this.sendIfChanged(), CHECK_EVERY);
    this.drag = { slider, pointer: e, sent: sliderValues(slider), timer };
  }

  end() {
    clearInterval(this.drag?.timer);
    this.drag = null;
  }

  sendIfChanged() {
    const { slider, sent } = this.drag;
    const track = slider.querySelector("[data-testid=stSliderTickBar]")?.parentElement;
    const values = sliderValues(slider);
    if (values === sent || !track || isPythonBusy() || this.lastTook > LONGEST_WAIT) return;
    this.drag.sent = values;
    this.simulate("pointerup", window);
    setTimeout(() => this.drag && this.simulate("pointerdown", track)); // once it has seen the first
  }

  simulate(type, target) {
    const { pointerId, pointerType, clientX, clientY } = this.drag.pointer;
    target.dispatchEvent(new PointerEvent(type, { pointerId, pointerType, clientX, clientY, bubbles: true }));
  }
}
