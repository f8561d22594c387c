// The calculator: give what is known, the rest is solved for every layout; the whole of it is in the URL.
import {chart} from '../charts.js';
import {button, field, h, replace, select, table} from '../dom.js';
import {bytes, count, short, t} from '../i18n.js';
import {UNITS, parseCount, parsePositive, parseRate} from './numbers.js';
import {commandLine, cppLine, curves, fixedTable, hashSets, missing, sizeBits, solve} from './solve.js';

const START = {n: '1M', p: '1%', m: '', unit: 'MiB', b: '', k: '', layout: 'classic'};
const CURVES_AFTER_MS = 150;
const FIELDS = [['n', parseCount], ['p', parseRate], ['m', parsePositive], ['b', parsePositive], ['k', parseCount]];

class Calculator {
  constructor({store, parameters, remember}) {
    this.remember = remember;
    const given = Object.fromEntries([...parameters].filter(([name]) => name in START));
    if (Object.keys(given).length) store.calculator = {...START, n: '', p: '', ...given};
    this.state = store.calculator ??= {...START};
    this.charts = [];
    this.problem = h('p', {class: 'verdict warn', role: 'status', id: 'calc-problem', hidden: true});
    this.result = h('div');
    this.element = h('div', {class: 'calculator'}, this.#form(), this.problem, this.result);
  }

  #input(name, label, hint) {
    const input = h('input', {type: 'text', id: `calc-${name}`, value: this.state[name], autocomplete: 'off', spellcheck: 'false',
      oninput: () => { this.state[name] = input.value.trim(); this.#solve(); }});
    return field(label, input, hint);
  }

  #form() {
    const units = select(Object.keys(UNITS).map((unit) => [unit, unit === 'bit' ? t('bits') : unit]), this.state.unit,
                         (unit) => { this.state.unit = unit; this.#solve(); }, {id: 'calc-unit'});
    return h('section', {class: 'panel', 'aria-label': t('calc.given')},
      h('p', {class: 'note'}, t('calc.intro')),
      h('div', {class: 'row top'},
        this.#input('n', t('calc.n'), '1000, 10M, 1e9, 2^40'), this.#input('p', t('calc.p'), '0.01, 1%, 1e-6, 1/1000'),
        this.#input('m', t('calc.m'), t('calc.m_hint')), field(t('calc.unit'), units),
        this.#input('b', t('calc.b'), t('calc.b_hint')), this.#input('k', t('calc.k'), t('calc.k_hint'))));
  }

  // What was typed, parsed; names of the fields that make no sense.
  #givens() {
    const values = {}, wrong = [];
    for (const [name, parse] of FIELDS) {
      if (this.state[name] === '') continue;
      values[name] = parse(this.state[name]);
      if (Number.isNaN(values[name])) wrong.push(name);
    }
    const bits = values.m && Math.floor(values.m * UNITS[this.state.unit]);
    return {givens: {n: values.n, p: values.p, bits, bitsPerKey: values.b, k: values.k}, wrong};
  }

  entered() { this.#solve(); }
  leave() { this.#closeCharts(); }
  #closeCharts() {
    clearTimeout(this.soon);
    for (const one of this.charts.splice(0)) one.close();
  }

  #solve() {
    this.remember(this.state);
    const {givens, wrong} = this.#givens();
    for (const [name] of FIELDS)
      this.element.querySelector(`#calc-${name}`).setAttribute('aria-invalid', String(wrong.includes(name)));
    const key = wrong.length ? 'calc.wrong' : missing(givens);
    const columns = key ? [] : solve(givens);
    const problem = key ? t(key, {names: wrong.map((name) => t(`calc.${name}`)).join(', ')})
      : columns.every((one) => one.problem || one.name === 'exact') ? columns[0].problem : '';
    this.problem.hidden = problem === '';
    this.problem.textContent = problem;
    this.#closeCharts();
    replace(this.result, problem ? [] : [this.#results(columns)]);
  }

  #results(columns) {
    const solved = columns.filter((one) => !one.problem);
    const chosen = solved.find(({name}) => name === this.state.layout) ?? solved[0];
    return h('div', {class: 'cards'},
      h('section', {class: 'panel wide'}, planTable(columns), ...columns.filter((one) => one.problem).map((one) =>
        h('p', {class: 'note'}, `${t(`layout.${one.name}`)}: ${one.problem}`))),
      h('section', {class: 'panel wide'}, this.#layoutChoice(solved, chosen), recipes(chosen),
        chosen.name === 'exact' ? null : this.#curvesSoon(chosen)),
      h('section', {class: 'panel'}, fixed(chosen)),
      h('section', {class: 'panel'}, memory(solved)));
  }

  #layoutChoice(solved, chosen) {
    return field(t('calc.layout'), select(solved.map(({name}) => [name, t(`layout.${name}`)]), chosen.name,
      (name) => { this.state.layout = name; this.#solve(); this.element.querySelector('#calc-layout').focus(); }, {id: 'calc-layout'}));
  }

  #curves(chosen) {
    const all = curves(chosen);
    const label = t(`layout.${chosen.name}`);
    const y = t('calc.p_short');
    const drawn = [
      chart({title: t('curve.keys'), x: t('calc.n_short'), y, xs: all.keys.xs, series: [{label, values: all.keys.values}], xLog: true, mark: chosen.keys}),
      chart({title: t('curve.per_key'), x: t('calc.b_short'), y, xs: all.perKey.xs, mark: chosen.bitsPerKey,
             series: [{label, values: all.perKey.values}, {label: '0.6185^(m/n)', values: all.perKey.best}]}),
      chart({title: t('curve.hashes'), x: t('calc.k_short'), y, xs: all.hashes.xs, series: [{label, values: all.hashes.values}], mark: chosen.shape.probes})];
    this.charts.push(...drawn);
    return drawn.map(({element}) => element);
  }

  // Curves cost a hundred plans: they wait until nothing was typed for a moment.
  #curvesSoon(chosen) {
    const place = h('div', {class: 'cards', id: 'curves'});
    this.soon = setTimeout(() => replace(place, this.#curves(chosen)), CURVES_AFTER_MS);
    return place;
  }
}

function planTable(columns) {
  const solved = columns.filter((one) => !one.problem);
  const row = (key, value) => [t(`plan.${key}`), ...solved.map((one) => value(one))];
  const hashes = ({name, shape}) => (name === 'exact' ? '-' : shape.linesPerKey > 1 ? t('plan.in_each', {k: shape.probes}) : shape.probes);
  const around = (i) => ({around}) => (around[i] ? short(around[i].fpr, 6) : '-');
  return table(t('plan.title'), ['', ...solved.map(({name}) => t(`layout.${name}`))], [
    row('keys', ({keys}) => count(keys)), row('fpr', ({fpr}) => short(fpr, 6)),
    row('bits', ({shape}) => count(sizeBits(shape))), row('size', ({sizeBytes}) => bytes(sizeBytes)),
    row('mb', ({sizeBytes}) => (sizeBytes / 1e6).toFixed(2)), row('per_key', ({bitsPerKey}) => short(bitsPerKey)),
    row('hashes', hashes), row('lines', ({name, shape}) => (name === 'blocked' ? shape.linesPerKey : '-')),
    row('less', around(0)), row('same', around(1)), row('more', around(2))], {id: 'plan'});
}

function copyable(id, text) {
  const copy = button(t('copy'), async () => {
    await navigator.clipboard?.writeText(text).catch(() => {});
    copy.textContent = t('copied');
  });
  return h('div', {class: 'copy'}, h('pre', {id}, text), copy);
}

const recipes = (chosen) =>
  h('div', {}, h('h2', {}, t('calc.recipes')), copyable('cli-line', commandLine(chosen)), copyable('cpp-line', cppLine(chosen)));

function fixed(chosen) {
  const p = chosen.askedFpr || chosen.fpr;
  const rows = fixedTable(p).map(({k, exact, approximate}) => [`k = ${k}`, exact.toFixed(2), approximate.toFixed(2)]);
  return h('div', {}, table(t('fixed.title', {p: short(p)}), ['', t('fixed.exact'), t('fixed.approximate')], rows, {id: 'fixed'}),
    h('p', {class: 'note'}, t('fixed.note')));
}

function memory(solved) {
  const {keys} = solved[0];
  const sets = hashSets(keys);
  const rows = [...solved.filter(({name}) => name !== 'exact').map(({name, sizeBytes}) => [t(`layout.${name}`), bytes(sizeBytes)]),
                [t('memory.fingerprints'), bytes(sets.fingerprints)], [t('memory.strings'), bytes(sets.strings)]];
  return table(t('memory.title', {n: count(keys)}), ['', t('plan.size')], rows, {id: 'memory'});
}

export function calculatorView(context) {
  const view = new Calculator(context);
  return {element: view.element, entered: () => view.entered(), leave: () => view.leave()};
}
