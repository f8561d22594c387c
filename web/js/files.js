// Filters in files: open one that the tool made, ask it, and save what was built on this page for the tool.
import {CellCanvas} from './array/canvas.js';
import {button, facts, field, h, replace} from './dom.js';
import {Filter, KIND, cellCount, cellValue} from './engine.js';
import {bytes, count, percent, short, t} from './i18n.js';

const MOST_SHADES = 1 << 16;
const FILLED = ['classic', 'blocked', 'counting'];  // the kinds whose fill says something

// The cells of a segment, or, where there are too many, how full each group of them is: 0..255.
function shadesOf({shape, bytes: data}) {
  const cells = cellCount(shape);
  const group = Math.ceil(cells / MOST_SHADES);
  const shades = new Uint8Array(Math.ceil(cells / group));
  for (let i = 0; i < shades.length; ++i) {
    const last = Math.min(cells, (i + 1) * group);
    let set = 0;
    for (let cell = i * group; cell < last; ++cell) set += cellValue(shape, data, cell) !== 0;
    shades[i] = Math.round((255 * set) / (last - i * group));
  }
  return {shades, group};
}

const shapeText = ({kind, cells, probes, linesPerKey, rule, cellBits}) =>
  kind === KIND.blocked ? t('shape.blocked', {cells: count(cells), lines: linesPerKey, k: probes})
    : kind === KIND.exact ? t('shape.exact', {cells: count(cells)})
      : kind === KIND.counting ? t('shape.counting', {cells: count(cells), bits: cellBits, k: probes})
        : kind === KIND.classic ? t('shape.classic', {cells: count(cells), k: probes, rule}) : t('shape.other', {cells: count(cells)});

function factsOf(name, size, filter) {
  const info = filter.info();
  return facts([
    [t('file.name'), name, 'file'], [t('file.kind'), info.kind, 'kind'], [t('file.shape'), shapeText(filter.segment().shape), 'shape'],
    [t('file.segments'), info.segments, 'segments'], [t('file.hash'), info.hash === 'xxh3' ? `xxh3, seed ${info.seed}` : info.hash, 'hash'],
    [t('file.planned'), info.plannedKeys ? t('file.planned_for', {n: count(info.plannedKeys), p: short(info.plannedFpr)}) : '-', 'planned'],
    [t('file.inserted'), count(info.inserted), 'inserted'], [t('file.offered'), count(info.offered), 'offered'],
    [t('file.estimated'), Number.isNaN(info.estimated) ? '-' : count(info.estimated), 'estimated'],
    [t('fact.fill'), FILLED.includes(info.kind) ? percent(info.fill, 4) : '-', 'fill'], [t('file.fpr'), short(info.fpr, 3), 'fpr'],
    [t('file.expected'), short(info.expectedFpr, 3), 'expected'], [t('fact.size'), bytes(info.sizeBytes), 'size'],
    [t('file.bytes'), count(size), 'bytes']], {id: 'file-facts'});
}

function checker(filter) {
  const answer = h('p', {class: 'verdict', role: 'status', id: 'file-answer'}, t('file.ask'));
  const item = h('input', {type: 'text', id: 'file-item', autocomplete: 'off', oninput: () => ask()});
  function ask() {
    if (item.value === '') return;
    const maybe = filter.mayContain(item.value);
    answer.className = `verdict ${maybe ? 'good' : 'bad'}`;
    answer.textContent = t(maybe ? 'file.maybe' : 'file.no', {item: item.value});
  }
  return h('div', {}, field(t('array.item'), item), filter.info().keyMissing ? h('p', {class: 'note'}, t('file.no_key')) : null, answer);
}

function download(name, data) {
  const url = URL.createObjectURL(new Blob([data], {type: 'application/octet-stream'}));
  h('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// What to type to use the saved file: the key, where there is one, comes from a file that nobody else may read.
const linesFor = (key) => (key
  ? `(umask 77; echo ${key} > key)\nbloomery info page.blm\nbloomery check --key-file key page.blm ITEMS.txt`
  : 'bloomery info page.blm\nbloomery check page.blm ITEMS.txt');

class Files {
  constructor({store}) {
    this.store = store;
    this.problem = h('p', {class: 'verdict bad', role: 'alert', id: 'file-problem', hidden: true});
    this.opened = h('div', {class: 'cards'});
    this.element = h('div', {class: 'cards'}, this.#dropPanel(), this.#savePanel(), h('div', {class: 'wide'}, this.opened));
  }

  #dropPanel() {
    const input = h('input', {type: 'file', id: 'file', accept: '.blm', onchange: () => input.files[0] && this.open(input.files[0])});
    const over = (on) => (event) => { event.preventDefault(); event.currentTarget.classList.toggle('over', on); };
    const drop = h('div', {class: 'drop', ondragover: over(true), ondragleave: over(false), ondrop: (event) => {
      over(false)(event);
      if (event.dataTransfer.files[0]) this.open(event.dataTransfer.files[0]);
    }}, h('p', {}, t('file.drop')), field(t('file.choose'), input));
    return h('section', {class: 'panel card'}, h('h2', {}, t('file.open')), drop, this.problem);
  }

  #savePanel() {
    const model = this.store.array;
    return h('section', {class: 'panel card'}, h('h2', {}, t('file.save_title')),
      h('p', {}, model ? t('file.save_what', {n: count(model.filter.info().offered), layout: t(`layout.${model.settings.layout}`), m: count(model.settings.cells)})
        : t('file.nothing')),
      h('div', {class: 'row'}, button(t('file.save'), () => download('page.blm', model.filter.encode()), {id: 'save', class: 'primary', disabled: !model})),
      h('pre', {id: 'save-lines'}, linesFor(model?.settings.key)));
  }

  async open(file) {
    this.problem.hidden = true;
    try {
      const filter = Filter.decode(new Uint8Array(await file.arrayBuffer()));
      this.close();
      this.store.file?.filter.free();
      this.store.file = {name: file.name, size: file.size, filter};
      this.show();
    } catch (error) {
      this.problem.hidden = false;
      this.problem.textContent = `${file.name}: ${error.message}`;
    }
  }

  show() {
    if (!this.store.file) return;
    const {name, size, filter} = this.store.file;
    replace(this.opened,
      h('section', {class: 'panel card'}, h('h2', {}, t('file.facts')), factsOf(name, size, filter), checker(filter)),
      h('section', {class: 'panel card'}, h('h2', {}, t('file.map')), this.#map(filter)));
  }

  #map(filter) {
    const segment = filter.segment();
    if (!segment.bytes.length) return h('p', {class: 'note'}, t('file.no_map'));
    const {shades, group} = shadesOf(segment);
    const note = h('p', {class: 'cell', role: 'status'}, t('file.map_note'));
    this.canvas = new CellCanvas({label: t('file.map'), height: () => 320, pointed: (shade, tile) => {
      if (shade === undefined) return;
      const tiles = shades.subarray(shade, shade + Math.max(1, tile));
      const full = tiles.reduce((sum, value) => sum + value, 0) / 255 / tiles.length;
      note.textContent = t('file.tile', {first: count(shade * group), last: count((shade + tiles.length) * group - 1), full: percent(full)});
    }});
    this.canvas.show(shades, {most: 255, shades: true});
    return h('div', {}, this.canvas.element, note);
  }

  close() { this.canvas?.close(); this.canvas = undefined; }
}

export function filesView(context) {
  const view = new Files(context);
  return {element: view.element, entered: () => view.show(), leave: () => view.close()};
}
