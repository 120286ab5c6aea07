/**
 * Reads the state of the page of teams from the query of its URL.
 *
 * @param {string} query `location.search`
 * @returns {{team: string, q: string, tool: string, resource: string}} the team that is open, the words that tools are
 *   filtered by, and the tool and the resource of the question why
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const { team, q, tool, resource } = Object.fromEntries(['team', 'q', 'tool', 'resource'].map(name => [name, params.get(name) ?? '']));
  return { team, q, tool, resource };
}

/**
 * The query of the URL for a state; only what is not empty is written.
 *
 * @param {{team?: string, q?: string, tool?: string, resource?: string}} state
 * @returns {string} with `?` in front, or empty
 */
export function writeState(state) {
  const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();
  return query && `?${query}`;
}
