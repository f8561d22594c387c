// Numbers as the command line takes them: rates 0.01, 1e-6, 1%, 1/1000; counts 1e9, 10M, 2^40.
const POWERS = {k: 1e3, m: 1e6, g: 1e9, t: 1e12};

export function parseRate(text) {
  const [, number, percent] = /^\s*([\d.eE+-]+)\s*(%?)\s*$/.exec(text) ?? [];
  const fraction = /^\s*([\d.]+)\s*\/\s*([\d.]+)\s*$/.exec(text);
  const rate = fraction ? Number(fraction[1]) / Number(fraction[2]) : percent ? Number(number) / 100 : Number(number);
  return rate > 0 && rate < 1 ? rate : NaN;
}

export function parseCount(text) {
  const power = /^\s*2\^(\d+)\s*$/.exec(text);
  if (power) return 2 ** Number(power[1]);
  const [, number, unit] = /^\s*([\d.eE+]+?)\s*([kKmMgGtT]?)\s*$/.exec(text) ?? [];
  const value = Math.round(Number(number) * (unit ? POWERS[unit.toLowerCase()] : 1));
  return value >= 1 ? value : NaN;
}

export function parsePositive(text) {
  const value = Number(text);
  return value > 0 && Number.isFinite(value) ? value : NaN;
}

// What a size in these units is in bits.
export const UNITS = {bit: 1, B: 8, KB: 8e3, KiB: 8 * 1024, MB: 8e6, MiB: 8 * 1024 ** 2, GB: 8e9, GiB: 8 * 1024 ** 3};

// As the tool writes a number into a command: 0.001, 1e-06.
export const plain = (number) => String(number).replace(/e([+-])(\d)$/, 'e$10$2');
