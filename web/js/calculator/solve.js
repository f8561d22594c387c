// From what is given of n, p, m, bits per key and k to a plan for every layout: the engine solves, as `bloomery plan`.
import {KIND, formulas, fprAt, plan, supports} from '../engine.js';
import {plain} from './numbers.js';

const FINGERPRINT_BITS = 128;
const LAYOUTS = ['classic', 'textbook', 'blocked', 'counting', 'exact'];
const KIND_OF = {...KIND, textbook: KIND.classic};
const CELL_BITS = {[KIND.blocked]: 512, [KIND.exact]: 128};

export const sizeBits = (shape) => shape.cells * (CELL_BITS[shape.kind] ?? shape.cellBits);

function request(name, {n, p, bits, bitsPerKey, k}) {
  const want = {kind: KIND_OF[name], keys: n, fpr: p, bits, bitsPerKey, hashes: k};
  if (name === 'textbook') want.article = true;
  return want;
}

// The same size with other hashes, as the tool recommends where the size was given.
function sameSize({shape, keys}, hashes) {
  const want = {kind: shape.kind, keys, bits: sizeBits(shape), hashes};
  if (shape.kind === KIND.blocked) want.lines = shape.linesPerKey;
  return want;
}

const attempt = (want) => {
  try {
    return plan(want).fpr;
  } catch {
    return NaN;
  }
};

function exactRequest({n, bits, bitsPerKey}) {
  const keys = n ?? Math.floor(bits / FINGERPRINT_BITS);
  const given = bits ?? (bitsPerKey ? bitsPerKey * keys : Infinity);
  if (!keys || given < FINGERPRINT_BITS * keys) throw new Error(`exact: needs ${FINGERPRINT_BITS} bits of every key`);
  return {kind: KIND.exact, keys};
}

function column(name, givens) {
  try {
    const want = name === 'exact' ? exactRequest(givens) : request(name, givens);
    const solved = plan(want);
    const recipe = want.bits || want.bitsPerKey ? sameSize(solved, solved.shape.probes) : want;
    const around = name === 'exact' ? [] : [-1, 0, 1].map((by) => {
      const hashes = solved.shape.probes + by;
      return {hashes, fpr: hashes >= 1 ? attempt(sameSize(solved, hashes)) : NaN};
    });
    return {name, ...solved, recipe, around};
  } catch (error) {
    return {name, problem: error.message};
  }
}

// Is enough given? The same combinations that the tool takes.
export function missing({n, p, bits, bitsPerKey}) {
  if (n && bits && bitsPerKey) return 'calc.too_much_size';
  if (!n && bits && bitsPerKey && p) return 'calc.too_much_rate';
  if (!n && p && bitsPerKey) return 'calc.too_much_rate';
  if (n && (p || bits || bitsPerKey)) return undefined;
  if (bits && (p || bitsPerKey)) return undefined;
  return n ? 'calc.need_p_or_m' : 'calc.need_more';
}

export function solve(givens) {
  const settled = {...givens};
  if (givens.bits && givens.bitsPerKey) {
    settled.n = Math.floor(givens.bits / givens.bitsPerKey);
    settled.bitsPerKey = undefined;
  }
  const textbook = givens.p && !givens.bits && !givens.bitsPerKey && !givens.k;
  return LAYOUTS.filter((name) => supports(KIND_OF[name]) && (name !== 'textbook' || textbook))
    .map((name) => column(name, settled));
}

export function fixedTable(p, most = 10) {
  return Array.from({length: most}, (_, i) => {
    const {bitsPerKeyFixed, bitsPerKeyApprox} = formulas({p, k: i + 1});
    return {k: i + 1, exact: bitsPerKeyFixed, approximate: bitsPerKeyApprox};
  });
}

// A table of 16-byte fingerprints three quarters full; std::unordered_set<std::string>, 64 bytes a node, 8 a bucket.
export const hashSets = (keys) => ({fingerprints: Math.floor((16 * keys * 4 + 2) / 3), strings: 72 * keys});

export function commandLine({recipe}) {
  const kind = Object.keys(KIND).find((name) => KIND[name] === recipe.kind);
  let line = `bloomery build -o FILE --kind ${kind}`;
  if (recipe.kind === KIND.exact) return line;
  if (recipe.article) line += ' --hash murmur3';
  const add = (name, value) => { if (value) line += ` --${name} ${plain(value)}`; };
  add('expected', recipe.keys), add('fpr', recipe.fpr), add('bits', recipe.bits), add('hashes', recipe.hashes);
  add('lines-per-key', recipe.lines);
  return line;
}

export function cppLine({recipe}) {
  const kind = Object.keys(KIND).find((name) => KIND[name] === recipe.kind);
  let fields = `.kind = bloomery::Kind::${kind}`;
  const add = (name, value) => { if (value) fields += `, .${name} = ${plain(value)}`; };
  add('keys', recipe.keys), add('fpr', recipe.fpr), add('bits', recipe.bits), add('hashes', recipe.hashes);
  add('lines_per_key', recipe.lines);
  if (recipe.article) fields += ', .article = true';
  const hasher = recipe.article ? 'bloomery::Hasher::murmur3()' : 'bloomery::Hasher{}';
  return `bloomery::Filter::create(*bloomery::plan({${fields}}), ${hasher})`;
}

const spread = (from, to, points) =>
  Array.from({length: points}, (_, i) => from * (to / from) ** (i / (points - 1)));

// Rates of a solved column: over the number of keys, the bits per key, and the hashes.
export function curves(solved) {
  const {shape, keys} = solved;
  const loads = spread(0.1, 10, 41).map((load) => Math.max(1, Math.round(load * keys)));
  const perKey = Array.from({length: 31}, (_, i) => i + 2);
  const most = shape.kind === KIND.blocked ? 8 : Math.min(24, 2 * shape.probes + 6);
  const hashes = Array.from({length: most}, (_, i) => i + 1);
  return {
    keys: {xs: loads, values: fprAt(sameSize(solved, shape.probes), loads)},
    perKey: {xs: perKey, values: perKey.map((bitsPerKey) => attempt({kind: shape.kind, keys, bitsPerKey})),
             best: perKey.map((bits) => formulas({m: bits, n: 1}).bestFpr)},
    hashes: {xs: hashes, values: hashes.map((k) => attempt(sameSize(solved, k)))},
  };
}
