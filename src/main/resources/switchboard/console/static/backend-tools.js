import { call, toolNames } from './mcp.js';

/** Tools that the original of a backend's type doesn't have: the default view has them, the backend's own view has not. */
export const ADDED = ['ingest_text'];

/** The tools that add a document, each of which will do. */
const ADDING = ['ingest_file', 'ingest_text'];

/**
 * The names of a backend's tools that the person may use, without the backend in front.
 *
 * @param {{id: string, type?: string}} backend
 * @returns {Promise<Set<string>>}
 */
export async function toolsOf({ id, type = id }) {
  const [own, all] = await Promise.all([toolNames(id), toolNames('').catch(() => new Set())]);
  ADDED.filter(name => all.has(inDefaultView(id, name)) || (type === id && all.has(name))).forEach(name => own.add(name));
  return own;
}

/** Whether one may add documents with `tools`. */
export function mayAdd(tools) {
  return ADDING.some(tool => tools.has(tool));
}

/**
 * Calls a backend's tool by its own name.
 *
 * @param {string} backend
 * @param {string} tool
 * @param {object} args
 * @param {{onProgress?: (progress: object) => void, signal?: AbortSignal}} [options]
 */
export function callIn(backend, tool, args, options = {}) {
  return ADDED.includes(tool) ? call(inDefaultView(backend, tool), args, options) : call(tool, args, { ...options, view: backend });
}

function inDefaultView(backend, tool) {
  return `${backend}__${tool}`;
}
