/** How far back one can look, in days. */
export const SPANS = [7, 30, 90, 365];

const DAYS = 30;
const RELEVANCE = 0.5;
const MOST_GROUPS = 50;

/**
 * Reads the state of the page from the query of its URL. What is not valid there counts as not written.
 *
 * @param {string} query `location.search`
 * @returns {{team: string, days: number, relevance: number}}
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const days = Number(params.get('days'));
  return { team: params.get('team') ?? '', days: SPANS.includes(days) ? days : DAYS, relevance: readRelevance(params.get('min_relevance')) };
}

/**
 * A relevance as a field takes it.
 *
 * @param {string | null} text
 * @returns {number} the default if the text is not one
 */
export function readRelevance(text) {
  const value = text === null || text.trim() === '' ? NaN : Number(text);
  return value >= 0 && value <= 1 ? value : RELEVANCE;
}

/**
 * The arguments of `search_gaps` for a state.
 *
 * @param {ReturnType<typeof readState>} state
 */
export function question({ team, days, relevance }) {
  return { ...(team && { team }), days, min_relevance: relevance, limit: MOST_GROUPS };
}

/**
 * The query of the URL for a state; only what differs from the defaults is written.
 *
 * @param {ReturnType<typeof readState>} state
 * @returns {string} with `?` in front, or empty
 */
export function writeState({ team, days, relevance }) {
  const params = new URLSearchParams();
  if (team) params.set('team', team);
  if (days !== DAYS) params.set('days', days);
  if (relevance !== RELEVANCE) params.set('min_relevance', relevance);
  const query = params.toString();
  return query && `?${query}`;
}
