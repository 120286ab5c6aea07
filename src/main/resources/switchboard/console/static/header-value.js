const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/s;

/**
 * A value of a message as a header repeats it: encoded if it is not plain text, or looks encoded already.
 *
 * @param {string} value
 */
export function headerValue(value) {
  return PLAIN.test(value) && !ENCODED.test(value) ? value : `=?base64?${base64(value)}?=`;
}

/**
 * The headers that repeat arguments: those whose schema says so (`x-mcp-header`).
 *
 * @param {object} schema the tool's input schema
 * @param {unknown} args
 * @returns {Record<string, string>}
 */
export function argumentHeaders(schema, args) {
  const headers = {};
  if (typeof args !== 'object' || args === null) return headers;
  for (const [name, declared] of Object.entries(schema?.properties ?? {})) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    const header = declared?.['x-mcp-header'];
    if (typeof header === 'string' && ['string', 'number', 'boolean'].includes(typeof given)) {
      headers[`Mcp-Param-${header}`] = headerValue(String(given));
    } else Object.assign(headers, argumentHeaders(declared, given));
  }
  return headers;
}

function base64(value) {
  return btoa(Array.from(new TextEncoder().encode(value), byte => String.fromCharCode(byte)).join(''));
}
