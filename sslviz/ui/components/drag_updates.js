// Sliders that answer while they are dragged. Streamlit's tell Python their value only when the
// button comes up; here it seems to come up, and at once to go down again, whenever the value has
// changed and Python is free. live_figure.py puts plotly_setup.js before it.

const PATIENCE = 2000; // ms: where the last answer took longer, Python waits for the button

const busy = () => document.querySelector("[data-test-script-state]")?.dataset.testScriptState !== "notRunning";
const values = (slider) => [...slider.querySelectorAll("input[type=range]")].map(({ value }) => value).join();

class Dragging {
  drag = null; // the slider held, the last event of its pointer, and the value Python knows
  begun = 0; // when Python was last given work
  took = 0; // ms it worked then

  constructor() {
    const on = (type, act) => addEventListener(type, (e) => e.isTrusted && act(e), true);
    on("pointerdown", (e) => this.grasp(e));
    on("pointermove", (e) => { if (this.drag) this.drag.at = e; });
    on("pointerup", () => this.release());
    on("pointercancel", () => this.release());
    new MutationObserver(() => this.clock())
      .observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] });
  }

  clock() {
    if (busy()) this.begun ||= performance.now();
    else if (this.begun) [this.took, this.begun] = [performance.now() - this.begun, 0];
  }

  // A finger is left alone: a slider hears touches beside the events of its pointer.
  grasp(e) {
    this.release();
    const slider = e.target.closest?.("[data-testid=stSlider]");
    if (!slider || e.pointerType !== "mouse" || e.button !== 0) return;
    this.drag = { slider, at: e, told: values(slider), timer: setInterval(() => this.tell(), 40) };
  }

  release() {
    clearInterval(this.drag?.timer);
    this.drag = null;
  }

  tell() {
    const { slider, told } = this.drag;
    const track = slider.querySelector("[data-testid=stSliderTickBar]")?.parentElement;
    const value = values(slider);
    if (value === told || !track || busy() || this.took > PATIENCE) return;
    this.drag.told = value;
    this.seem("pointerup", window);
    setTimeout(() => this.drag && this.seem("pointerdown", track)); // it has seen by then that it is free
  }

  seem(type, target) {
    const { pointerId, pointerType, clientX, clientY } = this.drag.at;
    target.dispatchEvent(new PointerEvent(type, { pointerId, pointerType, clientX, clientY, bubbles: true }));
  }
}

let dragging = null; // one for all sliders of the document
