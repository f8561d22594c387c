// Variants side by side: four experiments, each a card.
import {h} from '../dom.js';
import {deleteCard} from './delete.js';
import {mergeCard} from './merge.js';
import {overfillCard} from './overfill.js';
import {zeroCard} from './zero.js';

export function variantsView({store}) {
  const cards = [overfillCard, deleteCard, mergeCard, zeroCard].map((make) => make(store.variants ??= {}));
  return {
    element: h('div', {class: 'cards'}, cards.map(({element}) => element)),
    entered: () => cards.forEach((card) => card.entered?.()),
    leave: () => cards.forEach((card) => card.leave?.()),
  };
}
