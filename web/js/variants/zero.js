// When h₂ is 0: the article's rule asks one cell k times over; the mixed rule makes the step odd, so it cannot be 0.
import {h, replace, table} from '../dom.js';
import {Filter, KIND} from '../engine.js';
import {percent, t} from '../i18n.js';

const CELLS = 2048, HASHES = 7, KEYS = 200, PROBES = 5000, PROBES_FROM = 1_000_000_000;

function measure(article, hashOf) {
  const filter = Filter.create({kind: KIND.classic, bits: CELLS, hashes: HASHES, article}, article ? 'murmur3' : 'xxh3');
  const hash = (item) => hashOf(filter.hash(String(item)));
  for (let item = 1; item <= KEYS; ++item) filter.insertHash(hash(item));
  let maybes = 0;
  for (let item = PROBES_FROM; item < PROBES_FROM + PROBES; ++item) maybes += filter.mayContainHash(hash(item));
  const cells = filter.cells(hash(1));
  const {fill} = filter.info();
  filter.free();
  return {cells, fill, rate: maybes / PROBES};
}

export function zeroCard() {
  const result = h('div');
  const asIs = (hash) => hash, zero = ({lo}) => ({lo, hi: 0n});

  function entered() {
    const cases = [['zero.article', true, asIs], ['zero.article_zero', true, zero], ['zero.mixed_zero', false, zero]];
    const rows = cases.map(([name, article, change]) => {
      const {cells, fill, rate} = measure(article, change);
      return [t(name), cells.join(' '), new Set(cells).size, percent(fill), percent(rate)];
    });
    replace(result, table(t('zero.table', {m: CELLS, k: HASHES, n: KEYS}),
      ['', t('zero.cells'), t('zero.distinct'), t('fact.fill'), t('overfill.y')], rows, {id: 'zero'}));
  }

  return {element: h('section', {class: 'panel card wide'}, h('h2', {}, t('zero.title')), h('p', {}, t('zero.text')), result), entered};
}
