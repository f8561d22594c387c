// Overfill: four kinds planned for the same n and p, filled to ten times n. What the rate does then.
import {chart} from '../charts.js';
import {button, field, h, replace, table} from '../dom.js';
import {bytes, percent, short, t} from '../i18n.js';
import {LOADS, PROBES, fillAll} from './fillers.js';

const SHOWN = [0.5, 1, 2, 5, 10];

function results(all, p) {
  const names = Object.keys(all);
  const rows = SHOWN.map((load) => [t('overfill.load', {load}), ...names.map((name) =>
    percent(all[name].points[LOADS.indexOf(load)].measured))]);
  rows.push([t('overfill.predicted', {load: 10}), ...names.map((name) => percent(all[name].points.at(-1).predicted))]);
  rows.push([t('overfill.size'), ...names.map((name) => bytes(all[name].sizeBytes))]);
  rows.push([t('overfill.segments'), ...names.map((name) => all[name].segments)]);
  return table(t('overfill.table', {probes: PROBES.toLocaleString(), p: short(p)}), ['', ...names.map((name) => t(`layout.${name}`))], rows, {id: 'overfill'});
}

export function overfillCard(store) {
  const state = store.overfill ??= {n: 1000, p: 0.01};
  const n = h('input', {type: 'number', id: 'overfill-n', min: '10', max: '100000', value: String(state.n)});
  const p = h('input', {type: 'number', id: 'overfill-p', min: '0.0001', max: '0.5', step: 'any', value: String(state.p)});
  const result = h('div');
  let drawing;
  const leave = () => { drawing?.close(); drawing = undefined; };

  function run() {
    leave();
    Object.assign(state, {n: n.valueAsNumber, p: p.valueAsNumber});
    if (!(state.n >= 10 && state.n <= 100_000 && state.p > 0 && state.p <= 0.5))
      return replace(result, h('p', {class: 'verdict warn', role: 'alert'}, t('overfill.range')));
    const all = fillAll(state.n, state.p);
    drawing = chart({title: t('overfill.chart'), x: t('overfill.x'), y: t('overfill.y'), xs: LOADS,
      series: Object.entries(all).map(([name, {points}]) => ({label: t(`layout.${name}`), values: points.map(({measured}) => measured)})), mark: 1});
    replace(result, drawing.element, results(all, state.p));
  }

  const element = h('section', {class: 'panel card wide'}, h('h2', {}, t('overfill.title')), h('p', {}, t('overfill.text')),
    h('div', {class: 'row'}, field(t('overfill.n'), n), field(t('overfill.p'), p), button(t('run'), run, {id: 'overfill-run', class: 'primary'})), result);
  return {element, entered: run, leave};
}
