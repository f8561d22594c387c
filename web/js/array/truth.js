// Beside the filter: the exact set, who set the bits of a false positive, and a log against the predicted rate.
import {button, facts, h, replace} from '../dom.js';
import {count, short, t} from '../i18n.js';
import {logLine} from './show.js';

const MOST_CHIPS = 60, MOST_LINES = 50;

function chips(truth, choose) {
  const items = [...truth.entries()];
  const shown = items.slice(-MOST_CHIPS).map(([item, times]) =>
    h('li', {}, button(times > 1 ? `${item} ×${times}` : item, () => choose(item), {class: 'chip'})));
  const more = items.length - shown.length;
  return more > 0 ? [h('li', {class: 'more'}, t('truth.more', {n: count(more)})), ...shown] : shown;
}

// Who set the bits that made the answer "possibly yes".
function blame(operation) {
  if (operation?.kind !== 'check' || operation.verdict !== 'falsePositive') return [];
  return [h('div', {class: 'blame', id: 'blame'},
    h('h3', {}, t('truth.blame', {item: operation.item})),
    h('ul', {}, operation.cells.map((cell, i) =>
      h('li', {}, t('truth.set_by', {cell, items: operation.blame[i].slice(0, 8).join(', ') || '?'})))))];
}

export function truthPanel({checkMany, choose}) {
  const set = h('ul', {class: 'chips', id: 'truth'});
  const title = h('h2', {});
  const why = h('div');
  const rates = h('div');
  const log = h('ol', {class: 'log', id: 'log', reversed: true});

  function show(model, operation) {
    title.textContent = t('truth.title', {n: count(model.truth.size)});
    replace(set, chips(model.truth, choose));
    replace(why, blame(operation));
    const {asked, falsePositive, measured, predicted} = model.rates();
    const {truePositive, trueNegative} = model.tally;
    replace(rates, facts([
      [t('tally.truePositive'), count(truePositive), 'true-positives'],
      [t('tally.falsePositive'), count(falsePositive), 'false-positives'],
      [t('tally.trueNegative'), count(trueNegative), 'true-negatives'],
      [t('tally.measured', {n: count(asked)}), short(measured), 'measured'],
      [t('tally.predicted'), short(predicted), 'predicted']]));
    replace(log, model.history.slice(-MOST_LINES).reverse().map((done) =>
      h('li', {value: String(model.history.indexOf(done) + 1)}, logLine(done))));
  }

  const element = h('section', {class: 'panel truth', 'aria-label': t('truth.label')},
    title, set, why, h('h2', {}, t('truth.rates')), rates,
    h('div', {class: 'row'},
      [100, 10_000].map((n) => button(t('truth.check_many', {n: count(n)}), () => checkMany(n), {id: `check-${n}`}))),
    h('h2', {}, t('truth.log')), h('div', {class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': t('truth.log')}, log));
  return {element, show};
}
