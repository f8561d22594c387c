// Where the page is, and what it calculates, in the part of the URL after '#': #calculator?n=1e6&p=0.01
export function readRoute(known) {
  const [view, query = ''] = location.hash.slice(1).split('?');
  return {view: known.includes(view) ? view : known[0], parameters: new URLSearchParams(query)};
}

// Replaces, without a new entry in the history.
export function writeRoute(view, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
  history.replaceState(null, '', `#${view}${query ? `?${query}` : ''}`);
}
