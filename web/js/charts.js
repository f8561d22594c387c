// Line charts by uPlot. Lines differ by colour, dash and name; the numbers are in a table below, for who cannot see them.
import uPlot from 'uplot';
import {h, table} from './dom.js';
import {short, t} from './i18n.js';

const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const BORDERS = ['solid', 'dashed', 'dotted', 'double'];  // of the legend's signs
const HEIGHT_REM = 16, FONT_REM = 0.8;
const LEAST = 1e-18;  // as the planner; with much less uPlot never ends finding the lines of its grid

// A canvas knows no rem.
const rem = (n) => Math.round(n * parseFloat(getComputedStyle(document.documentElement).fontSize));

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// 0.01, 1e-6, 100000 as 1e5: short enough to stand beside an axis.
function tick(value) {
  if (value === null || value === undefined) return '';
  const size = Math.abs(value);
  return size >= 1e5 || (size > 0 && size < 1e-3) ? value.toExponential().replace('e+', 'e') : short(value, 3);
}

const axis = (label, log) => ({
  label, labelSize: rem(1.25), labelGap: 4, size: rem(3.6), stroke: () => colour('--soft'), grid: {stroke: () => colour('--edge'), width: 0.5},
  ticks: {stroke: () => colour('--edge'), width: 0.5}, font: `${rem(FONT_REM)}px system-ui`, labelFont: `${rem(FONT_REM)}px system-ui`,
  values: (_, values) => values.map(tick),
  ...(log ? {space: rem(2.75)} : {}),
});

function optionsOf({x, y, series, xLog, mark}, width) {
  return {
    width, height: rem(HEIGHT_REM), legend: {live: false, markers: {width: 3, stroke: (_, i) => colour(`--line-${((i - 1) % 4) + 1}`), dash: (_, i) => BORDERS[(i - 1) % 4]}}, cursor: {drag: {x: false, y: false}},
    scales: {x: {time: false, distr: xLog ? 3 : 1}, y: {distr: 3, range: rateRange}},
    axes: [{...axis(x, xLog), size: rem(2.25)}, axis(y, true)],
    series: [{label: x}, ...series.map(({label}, i) => ({
      label, width: 2, dash: DASHES[i % DASHES.length], stroke: () => colour(`--line-${(i % 4) + 1}`), points: {show: false}}))],
    hooks: {draw: [(plot) => mark !== undefined && drawMark(plot, mark)]},
  };
}

// Whole powers of ten around what there is to draw.
const rateRange = (_, least, most) => (least === null ? [0.001, 1] : uPlot.rangeLog(least, most, 10, true));

// A vertical line where the filter at hand is.
function drawMark(plot, at) {
  const left = plot.valToPos(at, 'x', true);
  const {ctx, bbox} = plot;
  ctx.save();
  ctx.strokeStyle = colour('--focus');
  ctx.lineWidth = 2;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  ctx.moveTo(left, bbox.top);
  ctx.lineTo(left, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function numbersOf({title, x, xs, series}) {
  const step = Math.max(1, Math.ceil(xs.length / 12));
  const rows = xs.flatMap((value, i) => (i % step ? [] : [[short(value), ...series.map(({values}) => short(values[i] ?? NaN, 3))]]));
  return h('details', {}, h('summary', {}, t('chart.numbers')), table(title, [x, ...series.map(({label}) => label)], rows));
}

// {title, x, y, xs, series: [{label, values}], xLog, mark}; values below LEAST are not drawn.
export function chart(what) {
  const {title, xs, series} = what;
  const place = h('div', {role: 'img', 'aria-label': title});
  const element = h('figure', {class: 'chart'}, h('h3', {}, title), place, numbersOf(what));
  element.style.marginInline = '0';
  const data = [xs, ...series.map(({values}) => values.map((value) => (value >= LEAST ? value : null)))];
  let plot;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(element.clientWidth);
    if (width < 50) return;
    if (!plot) plot = new uPlot(optionsOf(what, width), data, place);
    else if (plot.width !== width) plot.setSize({width, height: rem(HEIGHT_REM)});
  });
  observer.observe(element);
  const recolour = () => plot?.redraw();
  addEventListener('themechange', recolour);
  const close = () => {
    observer.disconnect();
    removeEventListener('themechange', recolour);
    plot?.destroy();
  };
  return {element, close};
}
