// Shows an operation position by position: played at a speed, or stepped through by hand.
export class Player {
  // shown(position, finished): so many of the positions are to be seen now.
  constructor(shown) {
    this.shown = shown;
    this.speed = 4;  // positions a second; Infinity: all at once
    this.playing = true;
    this.length = this.position = 0;
  }

  start(length) {
    this.length = length;
    this.position = 0;
    if (this.speed === Infinity && this.playing) return this.finish();
    if (this.playing) this.#move(1);
    else this.shown(0, length === 0);
    this.#wake();
  }

  get finished() { return this.position >= this.length; }
  step() { if (!this.finished) this.#move(1); }
  back() { if (this.position > 0) this.#move(-1); }
  finish() { this.#move(this.length - this.position); }
  stop() { cancelAnimationFrame(this.frame); this.frame = undefined; }

  setPlaying(playing) {
    this.playing = playing;
    this.#wake();
  }

  #move(by) {
    this.position += by;
    this.shown(this.position, this.finished);
  }

  #wake() {
    this.stop();
    if (!this.playing || this.finished) return;
    let last = performance.now();
    const tick = (now) => {
      if (now - last >= 1000 / this.speed) {
        last = now;
        this.step();
      }
      if (!this.finished) this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }
}
