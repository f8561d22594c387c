// How a hash becomes cells, written out with its numbers. The layouts' headers define it (include/bloomery/layout).
import {KIND} from '../engine.js';
import {t} from '../i18n.js';

const MASK = (1n << 64n) - 1n;
const GOLDEN = 0x9E3779B97F4A7C15n;
const MULTIPLIER = 0xD6E8FEB86659FD93n;

export const mix = (z) => {
  z = ((z ^ (z >> 32n)) * MULTIPLIER) & MASK;
  return z ^ (z >> 32n);
};
export const high64 = (a, b) => (a * b) >> 64n;
export const hex = (word) => `0x${word.toString(16).padStart(16, '0')}`;

function classicStep({hash, shape}, i) {
  const m = BigInt(shape.cells);
  const article = shape.rule === 0;
  const x = (hash.lo + BigInt(i) * (article ? hash.hi : hash.hi | 1n)) & MASK;
  if (article) {
    const cell = x % m;
    return {cell: Number(cell), text: `(h₁ + ${i}·h₂) mod 2⁶⁴ mod ${m} = ${hex(x)} mod ${m} = ${cell}`};
  }
  const mixed = mix(x);
  const cell = high64(mixed, m);
  return {cell: Number(cell),
          text: `x = h₁ + ${i}·(h₂ | 1) = ${hex(x)}; mix(x) = ${hex(mixed)}; ⌊mix(x)·${m} / 2⁶⁴⌋ = ${cell}`};
}

// cell: the i-th of the key's, whose word of the line follows from where it is.
function blockedStep({hash, shape, cells}, i) {
  const line = high64(hash.lo, BigInt(shape.cells));
  const pattern = ((hash.lo >> 6n) * GOLDEN) & MASK;
  const word = BigInt(Math.floor((cells[i] % 512) / 64));
  const bit = (pattern >> (8n * word)) & 63n;
  const cell = line * 512n + 64n * word + bit;
  return {cell: Number(cell),
          text: `${t('line')} = ⌊h₁·${shape.cells} / 2⁶⁴⌋ = ${line}; ${t('word')} ${word}; ` +
                `${t('bit')} = (${hex(pattern)} >> ${8n * word}) & 63 = ${bit}; 512·${line} + 64·${word} + ${bit} = ${cell}`};
}

// {cell, text} of the i-th cell of a trace (model.js).
export function explain(trace, i) {
  return trace.shape.kind === KIND.blocked ? blockedStep(trace, i) : classicStep(trace, i);
}
