/** A configuration of `search_everywhere` as it is without choices. */
export const DEFAULTS = Object.freeze({
  sources: Object.freeze([]),
  limit: 10,
  per_document: 2,
  min_relevance: 0,
  deadline_ms: null,
  mode: 'hybrid',
  fusion: '',
  weights: Object.freeze({}),
});

/** What a search can go by. */
export const MODES = ['hybrid', 'keyword', 'vector'];

/** How sources can be merged; empty for the gateway's setting. */
export const FUSIONS = ['', 'linear', 'rrf'];

/** How much of each hit can be asked for. */
export const DETAILS = ['passages', 'snippets', 'titles'];

const NUMBERS = { limit: [1, 100], per_document: [0, 100], min_relevance: [0, 1], deadline_ms: [50, 60000] };

/**
 * Reads the state of the page from the query of its URL. What is not valid there counts as not written.
 *
 * @param {string} query `location.search`
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const detail = params.get('detail');
  return {
    q: params.get('q') ?? '',
    detail: DETAILS.includes(detail) ? detail : DETAILS[0],
    filters: params.get('filters') ?? '',
    a: readConfiguration(params, ''),
    b: [...params.keys()].some(key => key.startsWith('b.')) ? readConfiguration(params, 'b.') : null,
    open: params.get('open') ?? '',
  };
}

/**
 * The query of the URL for a state; only what differs from the defaults is written.
 *
 * @param {object} state as {@link readState} returns it
 * @returns {string} with `?` in front, or empty
 */
export function writeState(state) {
  const params = new URLSearchParams();
  if (state.q) params.set('q', state.q);
  writeConfiguration(params, '', state.a);
  if (state.detail !== DETAILS[0]) params.set('detail', state.detail);
  if (state.filters) params.set('filters', state.filters);
  if (state.b) {
    params.set('b.limit', state.b.limit);
    writeConfiguration(params, 'b.', state.b);
  }
  if (state.open) params.set('open', state.open);
  const query = params.toString();
  return query && `?${query}`;
}

/**
 * The arguments of `search_everywhere` for one of the configurations, without what has its default.
 *
 * @param {object} state
 * @param {object} configuration `state.a` or `state.b`
 * @returns {object} fails with a `SyntaxError` to show if the filters are not an object of JSON
 */
export function argumentsOf(state, configuration) {
  const args = { query: state.q };
  if (configuration.sources.length) args.sources = configuration.sources;
  const filters = parseFilters(state.filters);
  if (filters) args.filters = filters;
  for (const name of Object.keys(NUMBERS)) {
    if (configuration[name] !== DEFAULTS[name]) args[name] = configuration[name];
  }
  for (const name of ['mode', 'fusion']) {
    if (configuration[name] !== DEFAULTS[name]) args[name] = configuration[name];
  }
  if (Object.keys(configuration.weights).length) args.weights = configuration.weights;
  if (state.detail !== DETAILS[0]) args.detail = state.detail;
  args.explain = true;
  return args;
}

/**
 * Filters as they were typed.
 *
 * @param {string} text
 * @returns {object | null} null if there are none; fails with a `SyntaxError` whose message says what to write
 */
export function parseFilters(text) {
  if (!text.trim()) return null;
  let value;
  try {
    value = JSON.parse(text);
  } catch (e) {
    throw new SyntaxError(`Not valid JSON (${e.message}). Write for example {"year": {"gte": 2020}}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('Filters are an object: field names with values, for example {"year": 2020}.');
  }
  return value;
}

/**
 * A number as a field of the options takes it.
 *
 * @param {string} name `limit`, `per_document`, `min_relevance` or `deadline_ms`
 * @param {string | null} text
 * @returns {number | null} the default if the text is not such a number
 */
export function readNumber(name, text) {
  const [least, most] = NUMBERS[name];
  const value = text === null || text.trim() === '' ? NaN : Number(text);
  if (Number.isNaN(value)) return DEFAULTS[name];
  const bounded = Math.min(most, Math.max(least, value));
  return name === 'min_relevance' ? bounded : Math.round(bounded);
}

/**
 * The weight of a source as a field takes it.
 *
 * @param {string} text
 * @returns {number | undefined} none if the text is no number
 */
export function readWeight(text) {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isNaN(value) ? undefined : Math.min(100, Math.max(0, value));
}

function readConfiguration(params, prefix) {
  const configuration = { sources: params.getAll(`${prefix}s`).filter(Boolean).slice(0, 50) };
  for (const name of Object.keys(NUMBERS)) configuration[name] = readNumber(name, params.get(prefix + name));
  configuration.mode = known(MODES, params.get(`${prefix}mode`));
  configuration.fusion = known(FUSIONS, params.get(`${prefix}fusion`));
  configuration.weights = readWeights(params.getAll(`${prefix}w`));
  return configuration;
}

function known(values, value) {
  return values.includes(value) ? value : values[0];
}

/** Weights as the URL has them: `<source>=<weight>`. */
function readWeights(texts) {
  const read = texts.map(text => [text.slice(0, text.lastIndexOf('=')), readWeight(text.slice(text.lastIndexOf('=') + 1))]);
  return Object.fromEntries(read.filter(([source, weight]) => source && weight !== undefined).slice(0, 50));
}

function writeConfiguration(params, prefix, configuration) {
  configuration.sources.forEach(source => params.append(`${prefix}s`, source));
  for (const name of Object.keys(NUMBERS)) {
    if (configuration[name] !== DEFAULTS[name]) params.set(prefix + name, configuration[name]);
  }
  for (const name of ['mode', 'fusion']) {
    if (configuration[name] !== DEFAULTS[name]) params.set(prefix + name, configuration[name]);
  }
  Object.entries(configuration.weights).forEach(([source, weight]) => params.append(`${prefix}w`, `${source}=${weight}`));
}
