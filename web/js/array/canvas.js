// Draws cells: up to 4096 one by one, more as a heat map. The cells lie on a layer of their own, of which only what
// changed is painted again; marks (positions of a key, the cursor) go on top, frame by frame.
import {h} from '../dom.js';
import {LIMITS} from './model.js';
import {markCell, paintCell, readColours} from './paint.js';

const MOST_REM = 2.75, LEAST_PIXELS = 5;
const HEAT_TILE = 4;

// The columns, rows and size of a grid of `count` cells in a box; blocked lines start at the left.
function gridOf(count, width, height, unit) {
  const most = Math.floor(MOST_REM * parseFloat(getComputedStyle(document.documentElement).fontSize));
  let size = Math.min(most, Math.max(LEAST_PIXELS, Math.floor(Math.sqrt((width * height) / count))));
  let columns = Math.max(1, Math.min(count, Math.floor(width / size)));
  if (unit > 1) {
    columns = 2 ** Math.floor(Math.log2(Math.min(64, columns)));
    size = Math.max(LEAST_PIXELS, Math.min(most, Math.floor(width / columns)));
  }
  return {columns, rows: Math.ceil(count / columns), size, cellsPerTile: 1};
}

function heatGridOf(count, width, height) {
  const columns = Math.floor(width / HEAT_TILE);
  const mostRows = Math.floor(height / HEAT_TILE);
  const cellsPerTile = Math.ceil(count / (columns * mostRows));
  const tiles = Math.ceil(count / cellsPerTile);
  const size = Math.max(HEAT_TILE, Math.floor(Math.sqrt((width * height) / tiles)));
  const across = Math.max(1, Math.floor(width / size));
  return {columns: across, rows: Math.ceil(tiles / across), size, cellsPerTile};
}

export class CellCanvas {
  // pointed(cell or undefined): what the pointer or the keyboard points at.
  constructor({label, pointed, height = () => Math.max(260, Math.min(innerHeight * 0.5, 1100))}) {
    this.height = height;
    this.pointed = pointed;
    this.base = document.createElement('canvas');
    this.element = h('canvas', {class: 'cells', tabindex: '0', role: 'application', 'aria-label': label,
      onpointermove: (event) => this.#point(this.#cellAt(event)), onpointerdown: (event) => this.#point(this.#cellAt(event)),
      onpointerleave: () => this.#point(undefined), onkeydown: (event) => this.#key(event),
      onblur: () => this.#point(undefined)});
    this.marks = new Map();
    this.values = new Uint8Array(0);
    this.painted = new Int16Array(0);
    this.observer = new ResizeObserver(() => this.#layOut());
    this.observer.observe(this.element);
    this.recolour = () => { this.painted.fill(-1); this.invalidate(); };
    addEventListener('themechange', this.recolour);
  }

  close() {
    this.observer.disconnect();
    removeEventListener('themechange', this.recolour);
    cancelAnimationFrame(this.frame);
  }

  // values: of each cell; most: the greatest that a cell can have; unit: cells that belong together (512 in a line);
  // shades: the values are how full groups of cells are, 0..255.
  show(values, {most = 1, unit = 1, shades = false} = {}) {
    const other = values.length !== this.values.length || unit !== this.unit;
    Object.assign(this, {values, most, unit, shades});
    if (other) this.#layOut();
    this.invalidate();
  }

  // cell -> {kind: preview, now, hit or miss}
  mark(marks) {
    this.marks = marks;
    this.invalidate();
  }

  get heat() { return this.shades || this.values.length > LIMITS.drawnCells; }

  invalidate() { this.frame ??= requestAnimationFrame(() => { this.frame = undefined; this.draw(); }); }

  #layOut() {
    const width = this.element.clientWidth;
    if (!width || !this.values.length) return;
    const height = this.height();
    this.grid = this.heat ? heatGridOf(this.values.length, width, height) : gridOf(this.values.length, width, height, this.unit);
    const pixels = Math.min(3, devicePixelRatio || 1);
    const tall = this.grid.rows * this.grid.size;
    this.element.style.height = `${tall}px`;
    for (const canvas of [this.element, this.base]) {
      canvas.width = Math.round(width * pixels);
      canvas.height = Math.round(tall * pixels);
      canvas.getContext('2d').scale(pixels, pixels);
    }
    this.painted = new Int16Array(this.grid.rows * this.grid.columns).fill(-1);
    this.invalidate();
  }

  draw() {
    if (!this.grid) return;
    const colours = readColours(this.element);
    this.#paintChanged(this.base.getContext('2d'), colours);
    const top = this.element.getContext('2d');
    top.save();
    top.setTransform(1, 0, 0, 1, 0, 0);
    top.clearRect(0, 0, this.element.width, this.element.height);
    top.drawImage(this.base, 0, 0);
    top.restore();
    for (const [cell, mark] of this.marks) markCell(top, this.#boxOf(cell), mark, colours);
    if (this.cursor !== undefined) markCell(top, this.#boxOf(this.cursor), {kind: 'cursor'}, colours);
  }

  #paintChanged(context, colours) {
    const {cellsPerTile, size} = this.grid;
    const tiles = Math.ceil(this.values.length / cellsPerTile);
    for (let tile = 0; tile < tiles; ++tile) {
      const value = this.heat ? this.#tileShade(tile) : this.values[tile];
      if (this.painted[tile] === value) continue;
      this.painted[tile] = value;
      const lined = this.unit > 1 && !this.heat && Math.floor(tile / this.unit) % 2 === 1;
      const share = this.heat ? value / 255 : value / this.most;
      paintCell(context, this.#boxOfTile(tile), {value, index: tile, share, lined, heat: this.heat, size}, colours);
    }
  }

  // 0..255: which part of the tile's cells is not 0.
  #tileShade(tile) {
    const first = tile * this.grid.cellsPerTile;
    const last = Math.min(this.values.length, first + this.grid.cellsPerTile);
    let sum = 0;
    for (let cell = first; cell < last; ++cell) sum += this.shades ? this.values[cell] : this.values[cell] && 255;
    return Math.round(sum / (last - first));
  }

  #boxOfTile(tile) {
    const {columns, size} = this.grid;
    return {x: (tile % columns) * size, y: Math.floor(tile / columns) * size, size};
  }
  #boxOf(cell) { return this.#boxOfTile(Math.floor(cell / this.grid.cellsPerTile)); }

  #cellAt(event) {
    if (!this.grid) return undefined;
    const column = Math.floor(event.offsetX / this.grid.size);
    const tile = Math.floor(event.offsetY / this.grid.size) * this.grid.columns + column;
    const cell = tile * this.grid.cellsPerTile;
    return column >= 0 && column < this.grid.columns && cell < this.values.length ? cell : undefined;
  }

  #point(cell) {
    if (cell === this.cursor) return;
    this.cursor = cell;
    this.invalidate();
    this.pointed(cell, cell === undefined ? 0 : this.grid.cellsPerTile);
  }

  #key(event) {
    if (!this.grid) return;
    const {columns, cellsPerTile} = this.grid;
    const last = Math.ceil(this.values.length / cellsPerTile) - 1;
    const tile = this.cursor === undefined ? 0 : Math.floor(this.cursor / cellsPerTile);
    const to = {ArrowRight: tile + 1, ArrowLeft: tile - 1, ArrowDown: tile + columns, ArrowUp: tile - columns, Home: 0, End: last};
    if (!(event.key in to)) return;
    event.preventDefault();
    const target = this.cursor === undefined ? 0 : to[event.key];
    if (target >= 0 && target <= last) this.#point(target * cellsPerTile);
  }
}
