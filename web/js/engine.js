// The engine: the library compiled to WebAssembly (web/engine). Handles and addresses stay in here.
import wasm from '#engine.wasm';

export const KIND = {classic: 1, blocked: 2, exact: 3, counting: 4, fuse: 5, ribbon: 6};
export const HASH = {xxh3: 1, murmur3: 2, siphash: 3, aes: 4, precomputed: 255};
export const kindName = (kind) => Object.keys(KIND).find((name) => KIND[name] === kind) ?? '?';
export const hashName = (hash) => Object.keys(HASH).find((name) => HASH[name] === hash) ?? '?';

export class EngineError extends Error {}

let exports;
const utf8 = new TextEncoder();
const memory = () => new DataView(exports.memory.buffer);

// There is no system underneath: an empty environment; whatever else libc may ask gets "not supported" (52).
const system = {
  environ_sizes_get(count, size) {
    memory().setUint32(count, 0, true);
    memory().setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  proc_exit() { throw new EngineError('the engine ran out of memory'); },
};
const notSupported = () => 52;

export async function startEngine() {
  const module = await WebAssembly.compile(wasm);
  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = system[name] ?? notSupported;
  exports = (await WebAssembly.instantiate(module, imports)).exports;
  exports._initialize();
}

const readText = (address) => {
  const bytes = new Uint8Array(exports.memory.buffer, address);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
};
const numbers = () => {
  const start = exports.numbers();
  return Array.from({length: exports.numbers_count()}, (_, i) => memory().getFloat64(start + 8 * i, true));
};
const words = () => {
  const start = exports.words();
  return Array.from({length: exports.words_count()}, (_, i) => memory().getBigUint64(start + 8 * i, true));
};
const checked = (result) => {
  if (result < 0) throw new EngineError(readText(exports.message()));
  return result;
};

// Calls work(address, length) with the bytes where the engine can see them.
function lent(bytes, work) {
  const address = exports.allocate(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  try {
    return work(address, bytes.length);
  } finally {
    exports.deallocate(address);
  }
}
const withText = (text, work) => lent(utf8.encode(text), work);

const shapeOf = ([kind, rule, probes, cellBits, linesPerKey, cells]) => ({kind, rule, probes, cellBits, linesPerKey, cells});

// want: {kind, keys, fpr, bits, bitsPerKey, hashes, lines, article}; what is missing is solved for.
export function plan(want) {
  checked(exports.plan(want.kind, want.keys ?? 0, want.fpr ?? 0, want.bits ?? 0, want.bitsPerKey ?? 0,
                       want.hashes ?? 0, want.lines ?? 0, want.article ? 1 : 0));
  const [kind, rule, probes, cellBits, linesPerKey, cells, keys, fpr, askedFpr, sizeBytes, bitsPerKey, floor] = numbers();
  const shape = shapeOf([kind, rule, probes, cellBits, linesPerKey, cells]);
  return {shape, keys, fpr, askedFpr, sizeBytes, bitsPerKey, floor, want};
}

// Does this engine have that kind?
export function supports(kind) {
  try {
    plan({kind, keys: 100, fpr: 0.01});
    return true;
  } catch {
    return false;
  }
}

// The rate of the shape that was planned last, at each of these numbers of keys.
export const fprAt = (want, keys) => {
  plan(want);
  return keys.map((n) => exports.plan_fpr_at(n));
};

export function formulas({n = 1, m = 1, k = 1, p = 0.5}) {
  exports.formulas(n, m, k, p);
  const [optimalBits, optimalHashes, textbookFpr, bestFpr, bitsPerKeyFixed, bitsPerKeyApprox] = numbers();
  return {optimalBits, optimalHashes, textbookFpr, bestFpr, bitsPerKeyFixed, bitsPerKeyApprox};
}

export class Filter {
  constructor(handle) { this.handle = handle; }

  // hash: a name; lo, hi: its seed, or the two words of its secret key. Errors: EngineError
  static create(want, hash = 'xxh3', lo = 0n, hi = 0n) {
    plan(want);
    return new Filter(checked(exports.create(HASH[hash], lo, hi)));
  }
  static decode(bytes) { return new Filter(lent(bytes, (at, size) => checked(exports.decode(at, size)))); }

  free() { exports.release(this.handle); this.handle = 0; }
  clone() { return new Filter(checked(exports.clone(this.handle))); }
  clear() { checked(exports.clear(this.handle)); }
  merge(other) { checked(exports.merge(this.handle, other.handle)); }
  appendSegment(want) { plan(want); checked(exports.append_segment(this.handle)); }

  insert(key) { return withText(key, (at, size) => checked(exports.insert(this.handle, at, size))) === 1; }
  // Was it taken out? false: it was certainly not in.
  erase(key) { return withText(key, (at, size) => checked(exports.erase(this.handle, at, size))) === 1; }
  mayContain(key) { return withText(key, (at, size) => exports.may_contain(this.handle, at, size)) === 1; }
  insertHash({lo, hi}) { return checked(exports.insert_hash(this.handle, lo, hi)) === 1; }
  mayContainHash({lo, hi}) { return exports.may_contain_hash(this.handle, lo, hi) === 1; }
  hash(key) {
    withText(key, (at, size) => exports.hash(this.handle, at, size));
    const [lo, hi] = words();
    return {lo, hi};
  }
  // The cells of a hash in one segment, in the order in which they are asked. Cells may come twice.
  cells({lo, hi}, segment = 0) {
    checked(exports.cells(this.handle, segment, lo, hi));
    return words().map(Number);
  }

  // Keys that are the decimal numbers first, first + 1, ...
  insertNumbers(first, count) { return exports.insert_numbers(this.handle, first, count); }
  countMaybes(first, count) { return exports.count_maybes(this.handle, first, count); }

  info() {
    exports.info(this.handle);
    const [kind, hash, segments, plannedKeys, plannedFpr, expectedFpr, offered, inserted, sizeBytes, fill, fpr, estimated,
           insertedIsEstimate, keyMissing] = numbers();
    return {kind: kindName(kind), hash: hashName(hash), seed: words()[0], segments, plannedKeys, plannedFpr, expectedFpr,
            offered, inserted, sizeBytes, fill, fpr, estimated, insertedIsEstimate: insertedIsEstimate === 1,
            keyMissing: keyMissing === 1};
  }
  // bytes: a view into the engine's memory, good until its next call.
  segment(index = 0) {
    checked(exports.segment(this.handle, index));
    const all = numbers();
    const [plannedKeys, plannedFpr, keysInserted, address, size] = all.slice(6);
    return {shape: shapeOf(all), plannedKeys, plannedFpr, keysInserted,
            bytes: new Uint8Array(exports.memory.buffer, address, size)};
  }
  encode() {
    checked(exports.encode(this.handle));
    const [address, size] = numbers();
    return new Uint8Array(exports.memory.buffer, address, size).slice();
  }
}

// How many cells a shape has, each 0 or more: bits, or counters.
export const cellCount = (shape) => (shape.kind === KIND.blocked ? shape.cells * 512 : shape.cells);

// The value of a cell. Both are little-endian: bit b of the bytes is bit b % 8 of byte b / 8.
export function cellValue(shape, bytes, cell) {
  if (shape.kind !== KIND.counting) return (bytes[cell >> 3] >> (cell & 7)) & 1;
  const bit = cell * shape.cellBits;
  if (shape.cellBits === 16) return bytes[2 * cell] | (bytes[2 * cell + 1] << 8);
  return (bytes[bit >> 3] >> (bit & 7)) & ((1 << shape.cellBits) - 1);
}
