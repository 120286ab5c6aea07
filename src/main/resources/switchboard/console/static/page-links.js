/**
 * Takes over a click on a link that stays on this page, so that what runs there goes on.
 *
 * @param {MouseEvent} event
 * @returns {URL | null} where the link leads; null for a click that is the browser's
 */
export function linkWithin(event) {
  const link = event.target.closest('a[href]');
  if (!link || link.target || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== location.pathname) return null;
  event.preventDefault();
  return url;
}

/**
 * Changes the address to another state of this page.
 *
 * @param {string} query with the question mark, or empty
 * @param {boolean} here whether it keeps the place in the history
 */
export function showInAddress(query, here) {
  const url = `${location.pathname}${query}`;
  if (here) history.replaceState(history.state, '', url);
  else history.pushState(null, '', url);
}
