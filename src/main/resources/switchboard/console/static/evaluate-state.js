import * as search from './search-state.js';

/** Which queries the table shows. */
export const SHOWN = ['all', 'better', 'worse', 'same', 'unjudged', 'failed'];

/**
 * Reads the state of the page from the query of its URL: the configurations are written as on the Search page. What is not
 * valid there counts as not written.
 *
 * @param {string} query `location.search`
 * @returns {{set: string, show: string, filters: string, a: object, b: object | null}} an empty `set` is the team's own
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const { filters, a, b } = search.readState(query);
  const show = params.get('show');
  return { set: params.get('set') ?? '', show: SHOWN.includes(show) ? show : SHOWN[0], filters, a, b };
}

/**
 * The query of the URL for a state; only what differs from the defaults is written.
 *
 * @param {ReturnType<typeof readState>} state
 * @returns {string} with `?` in front, or empty
 */
export function writeState({ set, show, ...configurations }) {
  const params = new URLSearchParams(searchState(configurations, ''));
  if (set) params.set('set', set);
  if (show !== SHOWN[0]) params.set('show', show);
  const query = params.toString();
  return query && `?${query}`;
}

/**
 * The address of the Search page for one query, with the same configurations; with one only, it stands beside itself.
 *
 * @param {ReturnType<typeof readState>} state
 * @param {string} q
 * @returns {string} relative to the page
 */
export function searchFor({ filters, a, b }, q) {
  return `search${searchState({ filters, a, b: b ?? { ...a } }, q)}`;
}

/**
 * The arguments of `search_everywhere` for each configuration, without the query and what only a reader of hits needs.
 *
 * @param {ReturnType<typeof readState>} state
 * @returns {object[]} fails with a `SyntaxError` to show if the filters are not an object of JSON
 */
export function configurationsOf({ filters, a, b }) {
  return [a, b].filter(Boolean).map(configuration => {
    const { query, detail, explain, ...args } = search.argumentsOf({ ...search.readState(''), filters, a, b }, configuration);
    return args;
  });
}

function searchState({ filters, a, b }, q) {
  return search.writeState({ ...search.readState(''), q, filters, a, b });
}
