/**
 * The parts of a document's address, decoded: backend, source, and the document's path. Text that is not an address
 * is one part.
 *
 * @param {string} address `switchboard://<backend>/<source>/<document>`
 * @returns {string[]}
 */
export function breadcrumb(address) {
  const scheme = 'switchboard://';
  if (!address.startsWith(scheme)) return [address];
  const [, source, document = ''] = address.slice(scheme.length).split('/').map(decoded);
  return [source, ...document.split('/')].filter(Boolean);
}

/**
 * The URL if it leads to the web; nothing else becomes a link.
 *
 * @param {unknown} url
 * @returns {string | undefined}
 */
export function webUrl(url) {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return undefined;
  return URL.canParse(url) ? url : undefined;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
