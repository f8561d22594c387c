// A filter on the page and, beside it, the truth: which items were really added, and who set which cell.
import {Filter, KIND, cellCount, cellValue} from '../engine.js';

export const LAYOUTS = ['classic', 'blocked', 'counting'];
export const LIMITS = {cells: [8, 1 << 22], drawnCells: 4096, hashes: {classic: 32, blocked: 8, counting: 32}};
export const HASHES = ['xxh3', 'aes', 'siphash', 'murmur3'];
export const SAMPLE_KEY = '000102030405060708090a0b0c0d0e0f';
const LINE_BITS = 512;
const COUNTER_BITS = 4;
const DOES = {add: 'doAdd', delete: 'doDelete', check: 'doCheck', add_numbers: 'doAddNumbers', check_numbers: 'doCheckNumbers'};

// Makes of any wish one that can be fulfilled.
export function settled({layout, hash, cells, hashes, key}) {
  const [least, most] = LIMITS.cells;
  let m = Math.min(most, Math.max(least, Math.round(cells) || least));
  if (layout === 'blocked') m = Math.max(1, Math.round(m / LINE_BITS)) * LINE_BITS;
  const k = Math.min(LIMITS.hashes[layout], Math.max(1, Math.round(hashes) || 1));
  const known = HASHES.includes(hash) && (hash !== 'murmur3' || layout === 'classic') ? hash : 'xxh3';
  const secret = known === 'siphash' ? {key: /^[0-9a-f]{32}$/i.test(key ?? '') ? key.toLowerCase() : SAMPLE_KEY} : {};
  return {layout, hash: known, cells: m, hashes: k, ...secret};
}

// The two little-endian words of a key of 32 hexadecimal digits.
function keyWords(key) {
  const bytes = key.match(/../g).map((digits) => BigInt(`0x${digits}`));
  const word = (some) => some.reduceRight((sum, byte) => (sum << 8n) | byte, 0n);
  return [word(bytes.slice(0, 8)), word(bytes.slice(8))];
}

export function wanted({layout, hash, cells, hashes}) {
  if (layout === 'counting') return {kind: KIND.counting, bits: cells * COUNTER_BITS, hashes};
  if (layout === 'blocked') return {kind: KIND.blocked, bits: cells, hashes, lines: 1};
  return {kind: KIND.classic, bits: cells, hashes, article: hash === 'murmur3'};
}

export class ArrayModel {
  constructor(settings) { this.configure(settings); }

  // An empty filter of these settings. Errors: EngineError; then nothing has changed.
  configure(settings) {
    const next = settled(settings);
    const filter = Filter.create(wanted(next), next.hash, ...(next.key ? keyWords(next.key) : []));
    this.filter?.free();
    this.filter = filter;
    this.settings = next;
    this.forget();
  }

  forget() {
    this.filter.clear();
    this.history = [];
    this.truth = new Map();   // item -> how often it is in
    this.setters = new Map(); // cell -> Map of item -> how often
    this.tally = {truePositive: 0, falsePositive: 0, trueNegative: 0, falseNegative: 0};
  }

  get shape() { return this.filter.segment().shape; }
  get cells() { return cellCount(this.shape); }
  get canDelete() { return this.settings.layout === 'counting'; }

  // A copy of the cells' values, as the drawing wants them.
  values() {
    const {shape, bytes} = this.filter.segment();
    const values = new Uint8Array(cellCount(shape));
    for (let cell = 0; cell < values.length; ++cell) values[cell] = cellValue(shape, bytes, cell);
    return values;
  }

  // What an item meets: its hash, its cells in order, and their values now.
  trace(item) {
    const hash = this.filter.hash(item);
    const cells = this.filter.cells(hash);
    const {shape, bytes} = this.filter.segment();
    const values = cells.map((cell) => cellValue(shape, bytes, cell));
    return {item, hash, cells, values, shape, firstZero: values.indexOf(0)};
  }

  blame(cell) { return [...(this.setters.get(cell)?.keys() ?? [])]; }

  add(item) { return this.#act({kind: 'add', item}); }
  remove(item) { return this.#act({kind: 'delete', item}); }
  check(item) { return this.#act({kind: 'check', item}); }
  // The decimal numbers first, first + 1, ..., as `seq` prints them.
  addNumbers(first, count) { return this.#act({kind: 'add_numbers', first, count}); }
  checkNumbers(first, count) { return this.#act({kind: 'check_numbers', first, count}); }

  undo() {
    const kept = this.history.slice(0, -1);
    this.forget();
    for (const {kind, item, first, count} of kept) this.#act({kind, item, first, count});
  }

  #act(operation) {
    const done = {...operation, ...this[DOES[operation.kind]](operation)};
    this.history.push(done);
    return done;
  }

  doAdd({item}) {
    const trace = this.trace(item);
    const fresh = this.filter.insert(item);
    const known = this.truth.has(item);
    this.#record(item, trace.cells, +1);
    return {...trace, fresh, known};
  }

  doDelete({item}) {
    const trace = this.trace(item);
    const known = this.truth.has(item);
    const erased = this.filter.erase(item);
    if (erased && known) this.#record(item, trace.cells, -1);
    return {...trace, erased, known};
  }

  doCheck({item}) {
    const trace = this.trace(item);
    const maybe = this.filter.mayContain(item);
    const verdict = verdictOf(maybe, this.truth.has(item));
    ++this.tally[verdict];
    return {...trace, maybe, verdict, blame: maybe ? trace.cells.map((cell) => this.blame(cell)) : []};
  }

  doAddNumbers({first, count}) {
    let fresh = 0;
    for (let number = first; number < first + count; ++number) {
      const item = String(number);
      const cells = this.filter.cells(this.filter.hash(item));
      fresh += this.filter.insert(item);
      this.#record(item, cells, +1);
    }
    return {fresh};
  }

  doCheckNumbers({first, count}) {
    let maybes = 0;
    for (let number = first; number < first + count; ++number) {
      const item = String(number);
      const maybe = this.filter.mayContain(item);
      maybes += maybe;
      ++this.tally[verdictOf(maybe, this.truth.has(item))];
    }
    return {maybes};
  }

  #record(item, cells, change) {
    const left = (this.truth.get(item) ?? 0) + change;
    if (left > 0) this.truth.set(item, left);
    else this.truth.delete(item);
    for (const cell of new Set(cells)) {
      let items = this.setters.get(cell);
      if (!items) this.setters.set(cell, items = new Map());
      const times = (items.get(item) ?? 0) + change;
      if (times > 0) items.set(item, times);
      else items.delete(item);
    }
  }

  // Of all answers to items that were never added, how many were wrong; and what the bits predict.
  rates() {
    const {falsePositive, trueNegative} = this.tally;
    const asked = falsePositive + trueNegative;
    return {asked, falsePositive, measured: asked ? falsePositive / asked : NaN, predicted: this.filter.info().fpr};
  }
}

export const verdictOf = (maybe, known) =>
  maybe ? (known ? 'truePositive' : 'falsePositive') : known ? 'falseNegative' : 'trueNegative';
