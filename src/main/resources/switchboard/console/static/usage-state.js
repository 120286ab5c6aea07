const HOUR_MS = 3_600_000;

/** What usage is shown by: its name, the length of one, and how many can be shown, the usual number first. */
export const UNITS = {
  hour: { name: 'Hours', ms: HOUR_MS, lasts: [[24, '24 hours'], [72, '3 days'], [168, '7 days']] },
  day: { name: 'Days', ms: 24 * HOUR_MS, lasts: [[30, '30 days'], [7, '7 days'], [90, '90 days']] },
  week: { name: 'Weeks', ms: 7 * 24 * HOUR_MS, lasts: [[13, '13 weeks'], [4, '4 weeks']] },
};

/** The columns of the table: those of names are sorted from a to z, those of numbers with the largest first. */
export const COLUMNS = [
  { id: 'team', name: 'Team', text: true },
  { id: 'tool', name: 'Tool', text: true },
  { id: 'backend', name: 'Backend', text: true, wide: true },
  { id: 'calls', name: 'Calls' },
  { id: 'tool_error', name: 'Tool errors', wide: true },
  { id: 'refused', name: 'Refused', wide: true },
  { id: 'failed', name: 'Failed', wide: true },
  { id: 'tokens', name: 'Tokens', wide: true },
  { id: 'p50_ms', name: 'p50', wide: true, latency: true },
  { id: 'p95_ms', name: 'p95', latency: true },
  { id: 'p99_ms', name: 'p99', wide: true, latency: true },
];

const SORT = 'calls';

/**
 * Reads the state of the page from the query of its URL. What is not valid there counts as not written.
 *
 * @param {string} query `location.search`
 * @returns {{by: string, last: number, team: string, tool: string, sort: string, reversed: boolean}}
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const by = Object.hasOwn(UNITS, params.get('by') ?? '') ? params.get('by') : 'hour';
  const lasts = UNITS[by].lasts.map(([count]) => count);
  const last = Number(params.get('last'));
  const sort = params.get('sort') ?? '';
  const id = sort.replace(/^-/, '');
  const known = COLUMNS.some(column => column.id === id);
  return {
    by,
    last: lasts.includes(last) ? last : lasts[0],
    team: params.get('team') ?? '',
    tool: params.get('tool') ?? '',
    sort: known ? id : SORT,
    reversed: known && sort.startsWith('-'),
  };
}

/**
 * The query of the URL for a state; only what differs from the defaults is written.
 *
 * @param {ReturnType<typeof readState>} state
 * @returns {string} with `?` in front, or empty
 */
export function writeState({ by, last, team, tool, sort, reversed }) {
  const params = new URLSearchParams();
  if (by !== 'hour') params.set('by', by);
  if (last !== UNITS[by].lasts[0][0]) params.set('last', last);
  if (team) params.set('team', team);
  if (tool) params.set('tool', tool);
  if (sort !== SORT || reversed) params.set('sort', `${reversed ? '-' : ''}${sort}`);
  const query = params.toString();
  return query && `?${query}`;
}

/**
 * The query of the request for what a state shows.
 *
 * @param {ReturnType<typeof readState>} state
 * @returns {string} with `?` in front
 */
export function question({ by, last, team, tool }) {
  const params = new URLSearchParams({ by, from: new Date(Date.now() - (last - 1) * UNITS[by].ms).toISOString() });
  if (team) params.set('team', team);
  if (tool) params.set('tool', tool);
  return `?${params}`;
}

/**
 * The rows in the order of a state.
 *
 * @param {object[]} rows
 * @param {ReturnType<typeof readState>} state
 */
export function sorted(rows, { sort, reversed }) {
  const { text } = COLUMNS.find(column => column.id === sort);
  const order = text ? (a, b) => a[sort].localeCompare(b[sort]) : (a, b) => (b[sort] ?? -1) - (a[sort] ?? -1);
  return [...rows].sort((a, b) => (reversed ? -1 : 1) * order(a, b));
}
