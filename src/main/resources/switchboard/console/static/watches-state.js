/**
 * Reads the state of the page from the query of its URL.
 *
 * @param {string} query `location.search`
 * @returns {{filter: string, watch: string, document: string}} the words that rows must have, the question that is open, and the
 *   document of its news that is
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const watch = params.get('watch') ?? '';
  return { filter: params.get('filter') ?? '', watch, document: watch && (params.get('document') ?? '') };
}

/**
 * The query of the URL for a state; only what is set is written.
 *
 * @param {ReturnType<typeof readState>} state
 * @returns {string} with `?` in front, or empty
 */
export function writeState(state) {
  const params = new URLSearchParams(Object.entries(state).filter(([, value]) => value));
  const query = params.toString();
  return query && `?${query}`;
}

/** The questions whose query, note and sources have all words of `wanted`. */
export function withWords(watches, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return watches.filter(({ query, note, sources }) => {
    const text = [query, note, ...(sources ?? [])].join(' ').toLowerCase();
    return words.every(word => text.includes(word));
  });
}
