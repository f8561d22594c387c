// Deleting: a plain filter can only clear bits, which others need too; a counting filter counts who needs them.
import {button, field, h, replace, select, table} from '../dom.js';
import {Filter, KIND, cellCount, cellValue, supports} from '../engine.js';
import {t} from '../i18n.js';

const ITEMS = ['apple', 'banana', 'orange', 'grape', 'kiwi', 'mango', 'peach'];
const CELLS = 32, HASHES = 3, COUNTER_BITS = 4;


// What deleting would have to do in a filter of bits: clear those of the item.
function clearBits(filter, item) {
  const cells = filter.cells(filter.hash(item));
  const {bytes} = filter.segment();
  for (const cell of cells) bytes[cell >> 3] &= ~(1 << (cell & 7));
}

function cellRow(filter, touched) {
  const {shape, bytes} = filter.segment();
  const cells = Array.from({length: cellCount(shape)}, (_, cell) => {
    const value = cellValue(shape, bytes, cell);
    return h('span', {class: `bit${value ? ' one' : ''}${touched.includes(cell) ? ' touched' : ''}`}, String(value));
  });
  return h('div', {class: 'bits', 'aria-hidden': 'true'}, cells);
}

export function deleteCard(store) {
  const state = store.delete ??= {item: 'apple'};
  const plain = Filter.create({kind: KIND.classic, bits: CELLS, hashes: HASHES});
  const counting = supports(KIND.counting) ? Filter.create({kind: KIND.counting, bits: CELLS * COUNTER_BITS, hashes: HASHES}) : undefined;
  const result = h('div');

  function run() {
    for (const filter of [plain, counting]) {
      filter?.clear();
      for (const item of ITEMS) filter?.insert(item);
    }
    const touched = plain.cells(plain.hash(state.item));
    clearBits(plain, state.item);
    counting?.erase(state.item);
    const answer = (filter, item) => {
      const maybe = filter.mayContain(item);
      const gone = item === state.item;
      if (gone) return maybe ? t('delete.still') : `✓ ${t('delete.gone')}`;
      return maybe ? `✓ ${t('delete.kept')}` : `✗ ${t('delete.lost')}`;
    };
    const rows = ITEMS.map((item) => [item === state.item ? t('delete.deleted', {item}) : item, answer(plain, item), ...(counting ? [answer(counting, item)] : [])]);
    const lost = ITEMS.filter((item) => item !== state.item && !plain.mayContain(item));
    replace(result,
      h('h3', {}, t('delete.plain')), cellRow(plain, touched),
      counting ? [h('h3', {}, t('delete.counting')), cellRow(counting, counting.cells(counting.hash(state.item)))] : [],
      h('p', {class: `verdict ${lost.length ? 'bad' : 'note'}`, role: 'status', id: 'delete-verdict'},
        lost.length ? t('delete.broken', {items: lost.join(', ')}) : t('delete.lucky')),
      table(t('delete.table'), [t('array.item'), t('delete.plain'), ...(counting ? [t('delete.counting')] : [])], rows, {id: 'deleted'}));
  }

  const choice = select(ITEMS.map((item) => [item, item]), state.item, (item) => { state.item = item; run(); }, {id: 'delete-item'});
  const element = h('section', {class: 'panel card'}, h('h2', {}, t('delete.title')), h('p', {}, t('delete.text', {m: CELLS, k: HASHES})),
    h('div', {class: 'row'}, field(t('delete.choose'), choice)), result);
  return {element, entered: run, leave: () => { plain.free(); counting?.free(); }};
}
