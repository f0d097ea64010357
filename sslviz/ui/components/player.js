// The frame on show, and the bar of buttons below the picture that moves it. The player draws nothing:
// when the user or the clock moves it, it calls `onMove`, which returns a promise of the picture drawn.

class Player {
  frame = 0;
  names = []; // of the frames
  playing = false;

  constructor(bar, onMove) {
    Object.assign(this, { bar, onMove });
    [this.range, this.label, this.speed] = ["input", "output", "select"].map((tag) => bar.querySelector(tag));
    bar.addEventListener("click", (e) => this.command(e.target.closest("button")?.dataset.do));
    this.range.addEventListener("input", () => { this.stop(); this.move(+this.range.value); });
  }

  get last() {
    return Math.max(this.names.length - 1, 0);
  }

  get hasFrames() {
    return this.last > 0;
  }

  // How far it is, from 0 to 1.
  get share() {
    return this.hasFrames ? this.frame / this.last : 1;
  }

  // The frames of a new figure, and where to be.
  setFrames(names, frame) {
    this.names = names;
    this.set(frame);
    this.bar.hidden = !this.hasFrames;
    this.range.max = this.last;
    if (!this.hasFrames) this.stop();
  }

  set(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.last);
  }

  move(frame) {
    this.set(frame);
    return this.onMove();
  }

  stop() {
    this.playing = false;
  }

  async play() {
    this.playing = true;
    if (this.frame >= this.last) await this.move(0);
    let due = performance.now();
    while (this.playing && this.frame < this.last && this.bar.isConnected) {
      due = Math.max(due + 1000 / this.speed.value, performance.now()); // never two frames at once
      do await new Promise(requestAnimationFrame); while (performance.now() < due);
      if (this.playing) await this.move(this.frame + 1);
    }
    this.stop();
    this.show();
  }

  // By the name of a button. All but "play" stop the player; "pause" leaves it where it is.
  command(name) {
    if (!name) return;
    if (name === "play") return this.play();
    this.stop();
    return this.move({ first: 0, back: this.frame - 1, next: this.frame + 1 }[name] ?? this.frame);
  }

  // By a key; whether it is one of the player's.
  press(key) {
    const name = { " ": this.playing ? "pause" : "play", ArrowLeft: "back", ArrowRight: "next" }[key];
    if (!name || !this.hasFrames) return false;
    this.command(name);
    return true;
  }

  // Let the bar show the present frame.
  show() {
    const name = this.names[this.frame] ?? String(this.frame + 1);
    this.range.value = this.frame;
    this.range.setAttribute("aria-valuetext", name);
    this.label.textContent = name;
    this.bar.querySelector("[data-do=play]").hidden = this.playing;
    this.bar.querySelector("[data-do=pause]").hidden = !this.playing;
  }
}

