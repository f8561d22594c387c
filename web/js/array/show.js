// What is to be seen of an operation after so many positions: the cells' values, the marks, the words.
import {h} from '../dom.js';
import {count, t} from '../i18n.js';
import {explain} from './arithmetic.js';

// Cells that the operation has not come to yet still have their old values.
export function valuesShown(before, after, {kind, cells}, position) {
  if (kind === 'check' || position >= cells.length) return after;
  const values = after.slice();
  const reached = new Set(cells.slice(0, position));
  for (const cell of cells) if (!reached.has(cell)) values[cell] = before[cell];
  return values;
}

export function marksOf({kind, cells, values, firstZero, erased}, position, finished) {
  const marks = new Map();
  const changes = kind === 'add' || (kind === 'delete' && erased);
  cells.slice(0, position).forEach((cell, i) => {
    const last = i === position - 1 && !finished;
    const missing = !changes && values[i] === 0 && i === firstZero;
    marks.set(cell, {kind: last ? 'now' : missing ? 'miss' : kind === 'check' && !finished ? 'now' : 'hit'});
  });
  return marks;
}

// One line for each position so far: its arithmetic, and what was found there.
export function stepsList(operation, position) {
  const {kind, cells, values} = operation;
  return cells.slice(0, position).map((cell, i) => {
    const set = values[i] !== 0;
    const twice = cells.indexOf(cell) < i;
    const found = kind === 'add' ? (set || twice ? 'step.was_set' : 'step.sets') : set ? 'step.is_set' : 'step.is_zero';
    return h('li', {'data-cell': cell, class: set ? 'is-set' : 'is-zero'},
             h('span', {class: 'arithmetic'}, explain(operation, i).text), ' ',
             h('strong', {}, `${set ? '✓' : kind === 'add' ? '+' : '✗'} ${t(found)}`));
  });
}

const VERDICTS = {truePositive: 'good', falsePositive: 'warn', trueNegative: 'bad', falseNegative: 'warn'};

export function verdictText(operation, finished, position) {
  const {kind, item} = operation;
  if (!finished) return {tone: 'note', text: t(`doing.${kind}`, {item, i: position, n: operation.cells.length})};
  if (kind === 'check') return {tone: VERDICTS[operation.verdict], text: t(`verdict.${operation.verdict}`, {item})};
  if (kind === 'delete') {
    const which = !operation.erased ? 'absent' : operation.known ? 'done' : 'harmful';
    return {tone: which === 'harmful' ? 'warn' : 'good', text: t(`deleted.${which}`, {item})};
  }
  const which = operation.fresh ? 'fresh' : operation.known ? 'repeat' : 'taken_for_repeat';
  return {tone: which === 'taken_for_repeat' ? 'warn' : 'good', text: t(`added.${which}`, {item})};
}

// A line of the log.
export function logLine({kind, item, verdict, first, count: many, maybes, fresh}) {
  if (kind === 'check') return t(`log.${verdict}`, {item});
  if (kind === 'add_numbers') return t('log.add_numbers', {first, last: first + many - 1});
  if (kind === 'check_numbers') return t('log.check_numbers', {n: count(many), maybes: count(maybes)});
  return t(`log.${kind}`, {item, fresh});
}
