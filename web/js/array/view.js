// The array view: choose a filter, type an item, see which cells it meets and why the answer is what it is.
import {button, facts, field, h, replace} from '../dom.js';
import {KIND} from '../engine.js';
import {bytes, count, percent, short, t} from '../i18n.js';
import {CellCanvas} from './canvas.js';
import {settingsForm} from './settings.js';
import {ArrayModel, LIMITS} from './model.js';
import {Player} from './player.js';
import {marksOf, valuesShown, verdictText, stepsList} from './show.js';
import {truthPanel} from './truth.js';

const SPEEDS = [1, 2, 4, 8, 16, 32, Infinity];
const FRUITS = ['apple', 'banana', 'orange', 'grape', 'kiwi', 'mango', 'peach'];
const MORE_FRUITS = ['pear', 'plum', 'cherry'];
const START = {layout: 'classic', hash: 'murmur3', cells: 20, hashes: 2};

class ArrayView {
  constructor({store, remember}) {
    this.remember = remember;
    this.model = store.array ??= new ArrayModel(START);
    store.player ??= {speed: 4, playing: true};
    this.preferences = store.player;
    this.player = new Player((position) => this.#showPosition(position));
    Object.assign(this.player, this.preferences);
    this.canvas = new CellCanvas({label: t('array.canvas'), pointed: (cell, tile) => this.#pointed(cell, tile)});
    this.item = h('input', {type: 'text', autocomplete: 'off', spellcheck: 'false', maxlength: '200', oninput: () => this.#preview()});
    this.verdict = h('p', {class: 'verdict', role: 'status', id: 'verdict'});
    this.steps = h('ol', {class: 'steps', id: 'steps'});
    this.cell = h('p', {class: 'cell', role: 'status', id: 'cell'}, t('array.point'));
    this.facts = h('div');
    this.truth = truthPanel({checkMany: (n) => this.#checkMany(n), choose: (item) => this.#choose(item)});
    this.form = settingsForm(this.model.settings, (settings) => this.#configure(settings));
    this.element = this.#build();
  }

  #build() {
    return h('div', {class: 'array'},
      h('section', {class: 'panel', 'aria-label': t('array.filter')}, this.form.element, this.#examples()),
      h('section', {class: 'panel stage', 'aria-label': t('array.cells')},
        this.#actions(), this.#playback(), this.verdict, this.canvas.element, this.cell, this.facts,
        h('h2', {}, t('array.steps')), this.steps),
      this.truth.element);
  }

  #examples() {
    return h('div', {class: 'row', role: 'group', 'aria-label': t('array.examples')},
      button(t('example.fruits'), () => this.#fruits(), {id: 'example-fruits'}),
      button(t('example.thousand'), () => this.#example({...START, cells: 9586, hashes: 7}, 1000), {id: 'example-thousand'}),
      button(t('example.blocked'), () => this.#example({layout: 'blocked', hash: 'xxh3', cells: 4096, hashes: 5}, 300), {id: 'example-blocked'}));
  }

  #actions() {
    const form = h('form', {class: 'row', onsubmit: (event) => { event.preventDefault(); this.#act('check'); }},
      field(t('array.item'), this.item),
      button(t('array.add'), () => this.#act('add'), {id: 'add', class: 'primary'}),
      h('button', {type: 'submit', id: 'check', class: 'primary'}, t('array.check')),
      this.remove = button(t('array.delete'), () => this.#act('remove'), {id: 'delete'}),
      button(t('array.add_many'), () => this.#addMany(), {id: 'add-many'}),
      button(t('array.undo'), () => this.#undo(), {id: 'undo'}),
      button(t('array.clear'), () => this.#clear(), {id: 'clear'}));
    this.item.id = 'item';
    form.querySelector('label').setAttribute('for', 'item');
    return form;
  }

  #playback() {
    const speed = h('input', {type: 'range', id: 'speed', min: '0', max: String(SPEEDS.length - 1), step: '1',
      value: String(SPEEDS.indexOf(this.preferences.speed)), oninput: (event) => this.#setSpeed(SPEEDS[event.target.value])});
    this.speedText = h('output', {for: 'speed'});
    this.play = button('', () => this.#setPlaying(!this.player.playing), {id: 'play'});
    const row = h('div', {class: 'row playback', role: 'group', 'aria-label': t('array.playback')},
      this.play,
      button(t('array.back'), () => { this.#setPlaying(false); this.player.back(); }, {id: 'back'}),
      button(t('array.step'), () => { this.#setPlaying(false); this.player.step(); }, {id: 'step'}),
      button(t('array.end'), () => this.player.finish(), {id: 'end'}),
      h('label', {for: 'speed'}, t('array.speed')), speed, this.speedText);
    this.#setSpeed(this.preferences.speed);
    this.#setPlaying(this.preferences.playing);
    return row;
  }

  #setSpeed(speed) {
    this.player.speed = this.preferences.speed = speed;
    this.speedText.textContent = speed === Infinity ? t('array.at_once') : t('array.per_second', {n: speed});
  }

  #setPlaying(playing) {
    this.player.setPlaying(this.preferences.playing = playing);
    this.play.textContent = t(playing ? 'array.pause' : 'array.play');
    this.play.setAttribute('aria-pressed', String(playing));
  }

  entered() { this.#refresh(); this.remember(this.#parameters()); }
  leave() { this.player.stop(); this.canvas.close(); }

  #parameters() {
    const {layout, hash, cells, hashes, key} = this.model.settings;
    return {layout, hash, m: cells, k: hashes, ...(key ? {key} : {})};
  }

  restore(settings) { this.#configure(settings); }

  #configure(settings) {
    try {
      this.model.configure(settings);
    } catch (error) {
      this.#say('bad', error.message);
      return;
    }
    this.#forgetOperation();
    this.remember(this.#parameters());
    this.form.show(this.model.settings);
    this.#refresh();
  }

  #act(kind) {
    const item = this.item.value;
    if (item === '') return this.#say('note', t('array.type_first'));
    this.before = this.model.values();
    this.operation = this.model[kind](item);
    this.#refreshTruth();
    const {cells, kind: done, firstZero, erased} = this.operation;
    const asked = done === 'check' && firstZero >= 0 ? firstZero + 1 : cells.length;
    this.player.start(done === 'delete' && !erased ? firstZero + 1 : asked);
  }

  #preview() {
    this.player.stop();
    this.operation = undefined;
    const item = this.item.value;
    if (item === '') return this.#forgetOperation();
    const trace = {...this.model.trace(item), kind: 'preview'};
    this.canvas.mark(new Map(trace.cells.map((cell) => [cell, {kind: 'preview'}])));
    this.#say('note', t(trace.firstZero < 0 ? 'preview.maybe' : 'preview.no', {item}));
    replace(this.steps, stepsList(trace, trace.cells.length));
  }

  #showPosition(position) {
    const operation = this.operation;
    if (!operation) return;
    this.canvas.show(valuesShown(this.before, this.model.values(), operation, position), this.#look());
    this.canvas.mark(marksOf(operation, position, this.player.finished));
    replace(this.steps, stepsList(operation, position));
    const {tone, text} = verdictText(operation, this.player.finished, position);
    this.#say(tone, text);
    if (this.player.finished) this.#refresh();
  }

  #look() {
    const {shape} = this.model;
    return {most: 2 ** shape.cellBits - 1, unit: shape.kind === KIND.blocked ? 512 : 1};
  }

  #say(tone, text) {
    this.verdict.className = `verdict ${tone}`;
    this.verdict.textContent = text;
  }

  #forgetOperation() {
    this.player.stop();
    this.operation = undefined;
    this.canvas.mark(new Map());
    replace(this.steps);
    this.#say('', t('array.start'));
  }

  #refresh() {
    this.canvas.show(this.model.values(), this.#look());
    this.remove.hidden = !this.model.canDelete;
    const info = this.model.filter.info();
    const {cells, hashes} = this.model.settings;
    replace(this.facts, facts([
      [t('fact.cells'), count(cells), 'cells'], [t('fact.hashes'), hashes, 'hashes'],
      [t('fact.items'), count(info.offered), 'items'], [t('fact.fill'), percent(info.fill, 4), 'fill'],
      [t('fact.fpr'), short(info.fpr), 'fpr'], [t('fact.size'), bytes(info.sizeBytes), 'size']]));
    this.#refreshTruth();
    if (!this.operation && !this.verdict.textContent) this.#say('', t('array.start'));
  }

  #refreshTruth() { this.truth.show(this.model, this.operation); }

  #pointed(cell, tile) {
    if (cell === undefined) return;
    if (tile > 1) {
      const last = Math.min(this.model.cells, cell + tile);
      const set = this.canvas.values.subarray(cell, last).reduce((sum, value) => sum + (value !== 0), 0);
      this.cell.textContent = t('array.tile', {first: cell, last: last - 1, set, all: last - cell});
      return;
    }
    const items = this.model.blame(cell);
    const shown = items.slice(0, 12).join(', ') + (items.length > 12 ? ', …' : '');
    this.cell.textContent = t(items.length ? 'array.cell_set' : 'array.cell_empty',
                              {cell, value: this.canvas.values[cell], n: items.length, items: shown});
  }

  #choose(item) { this.item.value = item; this.#preview(); this.item.focus(); }

  #addMany() {
    const first = this.model.history.reduce((next, done) => (done.kind === 'add_numbers' ? done.first + done.count : next), 1);
    const n = Math.max(1, Math.min(1000, Math.round((0.35 * this.model.cells) / this.model.settings.hashes)));
    this.#forgetOperation();
    this.model.addNumbers(first, n);
    this.#say('note', t('array.added_many', {first, last: first + n - 1}));
    this.#refresh();
  }

  #checkMany(n) {
    this.#forgetOperation();
    const before = this.model.history.reduce((sum, done) => sum + (done.kind === 'check_numbers' ? done.count : 0), 0);
    this.model.checkNumbers(1_000_000_000 + before, n);
    this.#refresh();
  }

  #undo() { this.model.undo(); this.#forgetOperation(); this.#refresh(); }
  #clear() { this.model.forget(); this.#forgetOperation(); this.#refresh(); }

  #example(settings, numbers) {
    this.#configure(settings);
    if (numbers) this.model.addNumbers(1, numbers);
    this.#refresh();
  }

  #fruits() {
    this.#configure(START);
    for (const fruit of [...FRUITS, ...MORE_FRUITS]) this.model.add(fruit);
    this.#refresh();
    this.item.value = 'watermelon';
    this.#preview();
  }
}

function settingsOf(parameters) {
  const m = Number(parameters.get('m')), k = Number(parameters.get('k'));
  if (!(m >= LIMITS.cells[0]) || !(k >= 1)) return undefined;
  const key = parameters.get('key');
  return {layout: parameters.get('layout') ?? 'classic', hash: parameters.get('hash') ?? 'xxh3', cells: m, hashes: k, ...(key ? {key} : {})};
}

export function arrayView(context) {
  const wanted = settingsOf(context.parameters);
  const view = new ArrayView(context);
  return {
    element: view.element,
    leave: () => view.leave(),
    entered: () => {
      const current = view.model.settings;
      const differs = wanted && Object.keys(wanted).some((name) => wanted[name] !== current[name]);
      if (differs) view.restore(wanted);
      view.entered();
    },
  };
}
