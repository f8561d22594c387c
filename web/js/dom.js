// Elements, briefly: h('p', {class: 'note', onclick: f}, 'text', otherElement).
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== 'string') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const button = (text, onclick, attributes = {}) => h('button', {type: 'button', onclick, ...attributes}, text);

let ids = 0;
// A label above its control. attributes go to the control; hint is a line below it.
export function field(label, control, hint) {
  control.id ||= `field-${++ids}`;
  const note = hint ? h('small', {id: `${control.id}-hint`}, hint) : null;
  if (note) control.setAttribute('aria-describedby', note.id);
  return h('div', {class: 'field'}, h('label', {for: control.id}, label), control, note);
}

// options: [[value, text], ...]
export const select = (options, value, onchange, attributes = {}) =>
  h('select', {onchange: (event) => onchange(event.target.value), ...attributes},
    options.map(([key, text]) => h('option', {value: key, selected: key === value}, text)));

export const replace = (element, ...children) => element.replaceChildren(...children.flat().filter(Boolean));

// A table that scrolls by itself where the page is too narrow. rows: arrays; the first cell of each heads it.
export function table(caption, head, rows, attributes = {}) {
  return h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    h('table', attributes, h('caption', {}, caption),
      h('thead', {}, h('tr', {}, head.map((text) => h('th', {scope: 'col'}, text)))),
      h('tbody', {}, rows.map(([first, ...rest]) =>
        h('tr', {}, h('th', {scope: 'row'}, first), rest.map((cell) => h('td', {}, cell)))))));
}

// Pairs of a name and a value.
export const facts = (pairs, attributes = {}) =>
  h('dl', {class: 'facts', ...attributes}, pairs.map(([name, value, key]) =>
    h('div', {}, h('dt', {}, name), h('dd', key ? {'data-fact': key} : {}, value))));
