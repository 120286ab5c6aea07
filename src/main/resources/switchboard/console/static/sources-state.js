/** `list_documents` passes over 999,000 documents at most, which are so many pages of 25. */
const MOST_PAGES = 39_961;

/**
 * Reads the state of the page of sources from the query of its URL. What is not valid there counts as not written.
 *
 * @param {string} query `location.search`
 * @returns {{s: string, page: number, folder: string, open: string}} the source that is open (`<backend>:<name>`), the
 *   page of its documents from 1, the folder, and the document that is open
 */
export function readState(query) {
  const params = new URLSearchParams(query);
  const page = Number(params.get('page'));
  return {
    s: params.get('s') ?? '',
    page: Number.isSafeInteger(page) && page >= 1 && page <= MOST_PAGES ? page : 1,
    folder: params.get('folder') ?? '',
    open: params.get('open') ?? '',
  };
}

/**
 * The query of the URL for a state; only what differs from the defaults is written.
 *
 * @param {{s?: string, page?: number, folder?: string, open?: string}} state
 * @returns {string} with `?` in front, or empty
 */
export function writeState({ s = '', page = 1, folder = '', open = '' }) {
  const params = new URLSearchParams();
  if (s) params.set('s', s);
  if (page > 1) params.set('page', page);
  if (folder) params.set('folder', folder);
  if (open) params.set('open', open);
  const query = params.toString();
  return query && `?${query}`;
}

/**
 * The backend and the name of a source.
 *
 * @param {string} source `<backend>:<name>`
 * @returns {[string, string]}
 */
export function partsOf(source) {
  const at = source.indexOf(':');
  return at < 0 ? [source, ''] : [source.slice(0, at), source.slice(at + 1)];
}
