// Merging: the union of two filters of one shape has the very bits of the filter that was built from both.
import {CellCanvas} from '../array/canvas.js';
import {field, h, select} from '../dom.js';
import {EngineError, Filter, KIND, cellCount, cellValue} from '../engine.js';
import {t} from '../i18n.js';

const CELLS = 64, HASHES = 3;
const START = {a: 'apple, banana, orange', b: 'grape, kiwi, orange', cells: String(CELLS)};
const itemsOf = (text) => text.split(',').map((item) => item.trim()).filter(Boolean);

function build(items, cells) {
  const filter = Filter.create({kind: KIND.classic, bits: cells, hashes: HASHES});
  for (const item of items) filter.insert(item);
  return filter;
}

function valuesOf(filter) {
  const {shape, bytes} = filter.segment();
  return Uint8Array.from({length: cellCount(shape)}, (_, cell) => cellValue(shape, bytes, cell));
}

export function mergeCard(store) {
  const state = store.merge ??= {...START};
  const canvases = ['A', 'B', 'A ∪ B'].map((name) =>
    ({name, canvas: new CellCanvas({label: t('merge.cells', {name}), height: () => 110, pointed: () => {}})}));
  const verdict = h('p', {class: 'verdict', role: 'status', id: 'merge-verdict'});

  function say(tone, text) {
    verdict.className = `verdict ${tone}`;
    verdict.textContent = text;
  }

  function run() {
    const a = build(itemsOf(state.a), CELLS), b = build(itemsOf(state.b), Number(state.cells));
    const both = build([...itemsOf(state.a), ...itemsOf(state.b)], CELLS);
    const [ofA, ofB] = [a, b].map(valuesOf);
    canvases[0].canvas.show(ofA);
    canvases[1].canvas.show(ofB);
    try {
      a.merge(b);
      const union = valuesOf(a);
      canvases[2].canvas.show(union);
      const same = union.every((value, cell) => value === valuesOf(both)[cell]);
      say(same ? 'good' : 'bad', t(same ? 'merge.same' : 'merge.differs'));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      canvases[2].canvas.show(new Uint8Array(CELLS));
      say('bad', t('merge.refused', {why: error.message}));
    }
    for (const filter of [a, b, both]) filter.free();
  }

  const input = (key) => h('input', {type: 'text', id: `merge-${key}`, value: state[key], oninput: (event) => { state[key] = event.target.value; run(); }});
  const cells = select([['64', '64'], ['65', '65']], state.cells, (value) => { state.cells = value; run(); }, {id: 'merge-cells'});
  const element = h('section', {class: 'panel card'}, h('h2', {}, t('merge.title')), h('p', {}, t('merge.text')),
    h('div', {class: 'row'}, field(t('merge.a'), input('a')), field(t('merge.b'), input('b')), field(t('merge.b_cells'), cells)),
    h('div', {class: 'pair'}, canvases.map(({name, canvas}) => h('div', {}, h('h3', {}, name), canvas.element))), verdict);
  return {element, entered: run, leave: () => canvases.forEach(({canvas}) => canvas.close())};
}
