/** The orders of the list. */
export const ORDERS = ['newest', 'slowest'];

/**
 * Reads the filters of the page from the query of its URL. What is not valid there counts as not written.
 *
 * @param {string} query `location.search`
 * @returns {{team: string, gateway: string, tool: string, outcome: string, slower: number, order: string}} `slower` in ms
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const slower = Number(params.get('slower'));
  const order = params.get('order');
  return {
    team: params.get('team') ?? '',
    gateway: params.get('gateway') ?? '',
    tool: params.get('tool') ?? '',
    outcome: params.get('outcome') ?? '',
    slower: Number.isFinite(slower) && slower > 0 ? slower : 0,
    order: ORDERS.includes(order) ? order : ORDERS[0],
  };
}

/**
 * The query of the URL for a state; only what differs from the defaults is written.
 *
 * @param {ReturnType<typeof readState>} state
 * @returns {string} with `?` in front, or empty
 */
export function writeState({ team, gateway, tool, outcome, slower, order }) {
  const params = new URLSearchParams();
  if (team) params.set('team', team);
  if (gateway) params.set('gateway', gateway);
  if (tool) params.set('tool', tool);
  if (outcome) params.set('outcome', outcome);
  if (slower) params.set('slower', slower);
  if (order !== ORDERS[0]) params.set('order', order);
  const query = params.toString();
  return query && `?${query}`;
}

/**
 * Whether a call is one that the filters want.
 *
 * @param {object} call
 * @param {ReturnType<typeof readState>} state
 */
export function wanted(call, { team, gateway, tool, outcome, slower }) {
  return (!team || call.team === team)
    && (!gateway || call.gateway === gateway)
    && (!tool || call.tool.toLowerCase().includes(tool.toLowerCase()))
    && (!outcome || (outcome === 'failed' ? call.outcome !== 'ok' : call.outcome === outcome))
    && call.ms >= slower;
}
