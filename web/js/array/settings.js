// The choice of a filter: layout, hash, cells m and hashes k. What cannot be is settled into what can (model.js).
import {field, h, select} from '../dom.js';
import {supports, KIND} from '../engine.js';
import {t} from '../i18n.js';
import {LAYOUTS, LIMITS, settled} from './model.js';

export function settingsForm(settings, changed) {
  let current = settings;
  const change = (part) => changed(settled({...current, ...part}));
  const layouts = LAYOUTS.filter((name) => supports(KIND[name])).map((name) => [name, t(`layout.${name}`)]);
  const layout = select(layouts, settings.layout, (value) => change({layout: value}), {id: 'layout'});
  const hash = select([['xxh3', 'xxh3'], ['murmur3', t('hash.murmur3')]], settings.hash, (value) => change({hash: value}), {id: 'hash'});
  const number = (id, key, [least, most]) => h('input', {type: 'number', id, min: String(least), max: String(most), step: '1',
    inputmode: 'numeric', onchange: (event) => change({[key]: event.target.valueAsNumber})});
  const m = number('m', 'cells', LIMITS.cells);
  const k = number('k', 'hashes', [1, LIMITS.hashes.classic]);

  function show(next) {
    current = next;
    layout.value = next.layout;
    hash.value = next.hash;
    hash.disabled = next.layout !== 'classic';
    m.value = next.cells;
    m.step = next.layout === 'blocked' ? '512' : '1';
    k.value = next.hashes;
    k.max = String(LIMITS.hashes[next.layout]);
  }
  show(settings);
  const element = h('div', {class: 'row settings'}, field(t('array.layout'), layout), field(t('array.hash'), hash),
                    field(t('array.m'), m), field(t('array.k'), k));
  return {element, show};
}
