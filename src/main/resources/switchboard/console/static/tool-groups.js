import { sendJson } from './api.js';
import { ADDED } from './backend-tools.js';
import { toolNames } from './mcp.js';

const SEPARATOR = '__';

/** The group of tools whose backend is not known. */
export const OTHERS = '';

/**
 * Which backend each tool belongs to. A tool that several backends have is named with its backend in front; any other one is
 * in the view of its backend.
 *
 * @param {object[]} tools as `tools/list` describes them
 * @returns {Promise<Map<string, string>>} the backend's id by the tool's name, as far as it is known
 */
export async function backendsOf(tools) {
  const { backends } = await sendJson('GET', 'api/v1/backends');
  const views = await Promise.all(backends.map(({ id }) => toolNames(id).catch(() => new Set())));
  return new Map(tools.map(({ name }) => [name, backendOf(name, backends, views)]).filter(([, backend]) => backend));
}

function backendOf(name, backends, views) {
  const fronts = backends.filter(({ id }) => name.startsWith(id + SEPARATOR)).sort((a, b) => b.id.length - a.id.length);
  if (fronts.length) return fronts[0].id;
  const owners = backends.filter((_, i) => views[i].has(name));
  if (owners.length === 1) return owners[0].id;
  const vectors = backends.filter(({ type }) => type === 'vectordb');
  return ADDED.includes(name) && vectors.length === 1 ? vectors[0].id : undefined;
}

/**
 * The tools that have all words of `wanted`, grouped by backend.
 *
 * @param {object[]} tools
 * @param {Map<string, string>} owners
 * @param {string} wanted
 * @returns {[string, object[]][]} those without a known backend last
 */
export function grouped(tools, owners, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = tools.filter(tool => words.every(word => textOf(tool, owners).includes(word)));
  const groups = [...Map.groupBy(shown, tool => owners.get(tool.name) ?? OTHERS)];
  return groups.sort(([a], [b]) => (a === OTHERS) - (b === OTHERS) || a.localeCompare(b));
}

function textOf(tool, owners) {
  return [tool.name, titleOf(tool), tool.description, owners.get(tool.name)].filter(text => typeof text === 'string').join(' ').toLowerCase();
}

/** What people call a tool; empty if it has only its name. */
export function titleOf(tool) {
  const title = tool.title ?? tool.annotations?.title;
  return typeof title === 'string' && title !== tool.name ? title : '';
}

/** What a tool says of what it does, in the words of MCP. */
export function tagsOf({ annotations = {} }) {
  return [
    [annotations.readOnlyHint === true, 'read-only', 'It changes nothing.'],
    [isDestructive({ annotations }), 'destructive', 'It may delete or overwrite something.'],
    [annotations.idempotentHint === true, 'idempotent', 'The same call again changes nothing more.'],
    [annotations.openWorldHint === true, 'open world', 'It reaches systems beyond its own.'],
  ].filter(([on]) => on).map(([, word, meaning]) => ({ word, meaning }));
}

/** Whether a tool says that it may destroy something. */
export function isDestructive({ annotations = {} }) {
  return annotations.destructiveHint === true && annotations.readOnlyHint !== true;
}
