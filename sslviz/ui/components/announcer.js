// What happens to the points of a figure, for those who hear the page: where the arrow keys have led, and
// which label was given. A label is told when the picture with it has come: it may have been refused.

const plainWords = (text) => new DOMParser()
  .parseFromString(String(text).replace(/<br>/g, ". "), "text/html").body.textContent;

class Announcer {
  waiting = ""; // for the next picture

  constructor(element) {
    this.element = element;
  }

  say(text) {
    this.element.textContent = text;
  }

  // The arrow keys have led to a point, the index-th of a trace.
  tellPoint(point, { text, hovertext }, index) {
    const words = [hovertext, text].map((t) => (Array.isArray(t) || ArrayBuffer.isView(t) ? t[index] : null));
    this.say(plainWords(words.find(Boolean) ?? `point ${point}`));
  }

  // A key was pressed over a point; `keys` names what each stands for.
  expectLabel(point, key, keys) {
    this.waiting = keys?.[key] ? `Point ${point}: ${keys[key]}` : "";
  }

  tellChange() {
    if (this.waiting) this.say(this.waiting);
    this.waiting = "";
  }
}
