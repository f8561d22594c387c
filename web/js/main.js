// The frame: title, views, language, light or dark. Each view is a function from the shared store to an element.
import {arrayView} from './array/view.js';
import {h, replace, select} from './dom.js';
import {startEngine} from './engine.js';
import {calculatorView} from './calculator/view.js';
import {filesView} from './files.js';
import {language, preferredLanguage, t, useLanguage} from './i18n.js';
import {readRoute, writeRoute} from './route.js';
import {variantsView} from './variants/view.js';

const VIEWS = {array: arrayView, variants: variantsView, calculator: calculatorView, files: filesView};
const names = Object.keys(VIEWS);
const store = {};  // what outlives a change of view or language: each view keeps its own part
const root = document.getElementById('page');
let view = names[0];
let leave = () => {};  // what the shown view wants done before it goes

function show(name, parameters) {
  leave();
  view = name;
  const place = root.querySelector('main');
  const shown = VIEWS[name]({store, parameters, openView, remember: (values) => writeRoute(name, values)});
  leave = shown.leave ?? (() => {});
  place.setAttribute('aria-labelledby', `tab-${name}`);
  replace(place, shown.element);
  shown.entered?.();
  for (const tab of root.querySelectorAll('[role=tab]')) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
}

function openView(name) {
  writeRoute(name);
  show(name, new URLSearchParams());
}

function moveAlongTabs(event) {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!step) return;
  openView(names[(names.indexOf(view) + step + names.length) % names.length]);
  root.querySelector(`#tab-${view}`).focus();
}

const tabs = () =>
  h('div', {role: 'tablist', 'aria-label': t('views'), onkeydown: moveAlongTabs},
    names.map((name) => h('button', {type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'view',
                                     onclick: () => openView(name)}, t(`view.${name}`))));

function chooseLanguage(tag) {
  useLanguage(tag);
  frame();
  show(view, readRoute(names).parameters);
  root.querySelector('#language').focus();
}

function chooseTheme(theme) {
  store.theme = theme;
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event('themechange'));
}

function frame() {
  document.title = `bloomery: ${t('tagline')}`;
  const themes = ['auto', 'light', 'dark'].map((theme) => [theme, t(`theme.${theme}`)]);
  replace(root,
    h('a', {class: 'skip', href: '#view', onclick: (event) => { event.preventDefault(); root.querySelector('main').focus(); }},
      t('skip')),
    h('header', {},
      h('div', {class: 'title'}, h('h1', {}, 'bloomery'), h('p', {}, t('tagline'))),
      h('div', {class: 'choices'},
        select([['en', 'English'], ['ru', 'Русский'], ['zh', '中文']], language(), chooseLanguage,
               {id: 'language', 'aria-label': t('language')}),
        select(themes, store.theme ?? 'auto', chooseTheme, {id: 'theme', 'aria-label': t('theme')})),
      tabs()),
    h('main', {id: 'view', role: 'tabpanel', tabindex: '-1'}),
    h('footer', {}, h('p', {}, t('footer'))));
}

async function start() {
  useLanguage(preferredLanguage());
  try {
    await startEngine();
  } catch (error) {
    replace(root, h('p', {role: 'alert', class: 'bad'}, t('no_engine', {why: error.message})));
    return;
  }
  frame();
  const {view: first, parameters} = readRoute(names);
  show(first, parameters);
  window.addEventListener('hashchange', () => {
    const route = readRoute(names);
    show(route.view, route.parameters);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chooseTheme(store.theme ?? 'auto'));
  document.documentElement.dataset.ready = 'true';
}

start();
