// Three languages, each an object of sentences in js/lang. A word in braces is filled in.
import en from './lang/en.js';
import ru from './lang/ru.js';
import zh from './lang/zh.js';

export const LANGUAGES = {en, ru, zh};
let current = 'en';

// The first of the browser's languages that there is here; else English.
export function preferredLanguage() {
  const known = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).filter((tag) => tag in LANGUAGES);
  return known[0] ?? 'en';
}

export const language = () => current;
export function useLanguage(tag) {
  current = tag in LANGUAGES ? tag : 'en';
  document.documentElement.lang = current;
}

export function t(key, values = {}) {
  const text = LANGUAGES[current][key] ?? LANGUAGES.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export const count = (number) => Math.round(number).toLocaleString(current);
export const percent = (share, digits = 3) =>
  `${(100 * share).toLocaleString(current, {maximumSignificantDigits: digits})}%`;

// Few digits, from 1e-18 to 1e18, the same in every language.
export function short(number, digits = 4) {
  if (!Number.isFinite(number)) return '-';
  const size = Math.abs(number);
  if (number !== 0 && (size < 1e-4 || size >= 1e15)) return number.toExponential(digits - 1).replace('e+', 'e');
  return String(Number(number.toPrecision(digits)));
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
export function bytes(number) {
  let unit = 0;
  while (number >= 1024 && unit < UNITS.length - 1) { number /= 1024; ++unit; }
  return `${unit === 0 ? number : number.toFixed(2)} ${UNITS[unit]}`;
}
