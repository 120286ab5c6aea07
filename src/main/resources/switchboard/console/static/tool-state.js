import { parsed } from './json-value.js';

/** Longer arguments are not kept in the address: not every program takes such a link. */
const LONGEST = 16_000;

/**
 * Reads the state of the page from its URL. Arguments are in the part after `#`, which no server gets.
 *
 * @param {{search: string, hash: string}} location
 * @returns {{tool: string, args: unknown}} `args` undefined if there are none
 */
export function readState({ search, hash }) {
  const text = new URLSearchParams(hash.slice(1)).get('args');
  const args = text === null ? undefined : parsed(text).value;
  return { tool: new URLSearchParams(search).get('tool') ?? '', args };
}

/**
 * The end of the URL for a state.
 *
 * @param {string} tool
 * @param {unknown} [args]
 * @returns {string} with `?` in front, or empty
 */
export function writeState(tool, args) {
  if (!tool) return '';
  const query = `?${new URLSearchParams({ tool })}`;
  const text = args === undefined ? '{}' : JSON.stringify(args);
  return text === '{}' || text.length > LONGEST ? query : `${query}#${new URLSearchParams({ args: text })}`;
}

/** Whether arguments are kept in the address. */
export function fits(args) {
  return JSON.stringify(args).length <= LONGEST;
}
