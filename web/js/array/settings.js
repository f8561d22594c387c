// The choice of a filter: layout, hash and its key, cells m and hashes k. What cannot be is settled into what can (model.js).
import {field, h, select} from '../dom.js';
import {supports, KIND} from '../engine.js';
import {t} from '../i18n.js';
import {HASHES, LAYOUTS, LIMITS, SAMPLE_KEY, settled} from './model.js';

const NAMED = {murmur3: 'hash.murmur3', siphash: 'hash.siphash'};

export function settingsForm(settings, changed) {
  let current = settings;
  const change = (part) => changed(settled({...current, ...part}));
  const layouts = LAYOUTS.filter((name) => supports(KIND[name])).map((name) => [name, t(`layout.${name}`)]);
  const layout = select(layouts, settings.layout, (value) => change({layout: value}), {id: 'layout'});
  const hash = select(HASHES.map((name) => [name, name in NAMED ? t(NAMED[name]) : name]), settings.hash,
                      (value) => change({hash: value}), {id: 'hash'});
  const key = h('input', {type: 'text', id: 'key', spellcheck: 'false', autocomplete: 'off', maxlength: '32', size: '34',
    pattern: '[0-9a-fA-F]{32}', onchange: (event) => change({key: event.target.value})});
  const keyField = field(t('array.key'), key);
  const number = (id, key, [least, most]) => h('input', {type: 'number', id, min: String(least), max: String(most), step: '1',
    inputmode: 'numeric', onchange: (event) => change({[key]: event.target.valueAsNumber})});
  const m = number('m', 'cells', LIMITS.cells);
  const k = number('k', 'hashes', [1, LIMITS.hashes.classic]);

  function show(next) {
    current = next;
    layout.value = next.layout;
    hash.value = next.hash;
    hash.querySelector('[value=murmur3]').disabled = next.layout !== 'classic';
    key.value = next.key ?? SAMPLE_KEY;
    keyField.hidden = next.hash !== 'siphash';
    m.value = next.cells;
    m.step = next.layout === 'blocked' ? '512' : '1';
    k.value = next.hashes;
    k.max = String(LIMITS.hashes[next.layout]);
  }
  show(settings);
  const element = h('div', {class: 'row settings'}, field(t('array.layout'), layout), field(t('array.hash'), hash), keyField,
                    field(t('array.m'), m), field(t('array.k'), k));
  return {element, show};
}
