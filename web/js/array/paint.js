// How a cell and a mark look. Never by colour alone: a set cell has a 1 or a dot in it, a position that was found a
// tick, one that was missing a cross.
const NAMES = ['empty', 'lined', 'set', 'ink', 'set-ink', 'grid', 'seen', 'seen-ground', 'good', 'bad', 'focus'];
let cached = {theme: undefined, colours: undefined};

export function readColours(element) {
  const style = getComputedStyle(element);
  const theme = style.getPropertyValue('--set') + style.getPropertyValue('--empty');
  if (cached.theme !== theme)
    cached = {theme, colours: Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]))};
  return cached.colours;
}

export function paintCell(context, {x, y, size}, cell, colours) {
  const gap = cell.heat ? 0 : size >= 12 ? 2 : 1;
  context.globalAlpha = 1;
  context.fillStyle = cell.lined ? colours.lined : colours.empty;
  context.fillRect(x, y, size - gap, size - gap);
  if (cell.value === 0) return paintIndex(context, {x, y, size}, cell, colours);
  context.globalAlpha = cell.heat ? cell.share : 0.45 + 0.55 * cell.share;
  context.fillStyle = colours.set;
  context.fillRect(x, y, size - gap, size - gap);
  context.globalAlpha = 1;
  if (!cell.heat) paintValue(context, {x, y, size: size - gap}, cell, colours);
  paintIndex(context, {x, y, size}, cell, colours);
}

function paintValue(context, {x, y, size}, cell, colours) {
  context.fillStyle = colours['set-ink'];
  if (size < 14) {
    const dot = Math.max(1, Math.round(size / 4));
    context.fillRect(x + (size - dot) / 2, y + (size - dot) / 2, dot, dot);
    return;
  }
  context.font = `600 ${Math.round(size * 0.5)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(cell.value), x + size / 2, y + size * (size >= 30 ? 0.42 : 0.54));
}

function paintIndex(context, {x, y, size}, cell, colours) {
  if (cell.heat || size < 30) return;
  context.fillStyle = cell.value === 0 ? colours.ink : colours['set-ink'];
  context.font = `${Math.round(size * 0.25)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.fillText(String(cell.index), x + size / 2 - 1, y + size * 0.9);
}

const COLOUR_OF = {preview: 'seen', now: 'seen', hit: 'good', miss: 'bad', cursor: 'focus'};

// A ring around the cell (dashed for a preview), and a sign where it says how it went.
export function markCell(context, {x, y, size}, {kind}, colours) {
  const box = Math.max(size, 11);
  const left = x + (size - box) / 2, top = y + (size - box) / 2;
  context.strokeStyle = colours[COLOUR_OF[kind]];
  context.lineWidth = kind === 'now' ? 4 : kind === 'preview' ? 2 : 3;
  context.setLineDash(kind === 'preview' ? [4, 3] : []);
  if (kind === 'now' || kind === 'preview') {
    context.globalAlpha = kind === 'now' ? 0.6 : 0.3;
    context.fillStyle = colours['seen-ground'];
    context.fillRect(left, top, box - 2, box - 2);
    context.globalAlpha = 1;
  }
  context.strokeRect(left, top, box - 2, box - 2);
  context.setLineDash([]);
  if (kind === 'hit' || kind === 'miss') paintSign(context, {left, top, box}, kind, colours);
}

function paintSign(context, {left, top, box}, kind, colours) {
  const radius = Math.max(4, box * 0.17);
  const x = left + box - radius - 1, y = top + radius - 1;
  context.fillStyle = colours[COLOUR_OF[kind]];
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = colours.empty;
  context.lineWidth = Math.max(1.2, radius / 4);
  const r = radius * 0.5;
  context.beginPath();
  if (kind === 'hit') {
    context.moveTo(x - r, y), context.lineTo(x - r / 4, y + r), context.lineTo(x + r, y - r);
  } else {
    context.moveTo(x - r, y - r), context.lineTo(x + r, y + r), context.moveTo(x - r, y + r), context.lineTo(x + r, y - r);
  }
  context.stroke();
}
