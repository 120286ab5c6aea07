import { ApiError, send } from './api.js';
import { eventData } from './event-stream.js';

const PATH = 'api/v1/mcp';
const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const MOST_TOOLS = 2000;

let lastId = 0;
let usual = '';

/**
 * Says which view calls go to that name none.
 *
 * @param {string} name empty for the default one
 */
export function useView(name) {
  usual = name;
}

/** A tool that failed: `kind` is the gateway's word for why. */
export class ToolError extends Error {
  /**
   * @param {string} kind for example `INVALID_ARGUMENT`
   * @param {string} message
   * @param {number} [retryAfterMs] when to try again
   */
  constructor(kind, message, retryAfterMs) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Calls a tool. Aborting the signal cancels the call in the gateway too.
 *
 * @param {string} tool
 * @param {object} args
 * @param {{onProgress?: (progress: object) => void, signal?: AbortSignal, view?: string}} [options] in the view of a
 *   backend its tools have their own names; without one, all tools are there, with the backend in front
 * @returns {Promise<object>} the structured content of the result; fails with {@link ToolError} or `ApiError`
 */
export async function call(tool, args, { onProgress, signal, view } = {}) {
  return structured(await exchange('tools/call', { name: tool, arguments: args }, { onProgress, signal, view }));
}

/**
 * The names of the tools that the person may use in a view; none of a backend's view for who may not use the default one.
 *
 * @param {string} view
 * @returns {Promise<Set<string>>}
 */
export async function toolNames(view) {
  const names = new Set();
  if (view && usual) return names;
  let cursor;
  do {
    const message = await exchange('tools/list', cursor ? { cursor } : {}, { view });
    if (message.error) throw new ToolError('PROTOCOL', message.error.message);
    message.result.tools.forEach(tool => names.add(tool.name));
    cursor = message.result.nextCursor;
  } while (cursor && names.size < MOST_TOOLS);
  return names;
}

/**
 * The request that a developer can send to repeat a call; any version of the protocol takes it.
 *
 * @param {string} tool
 * @param {object} args
 * @returns {string} JSON
 */
export function repeatable(tool, args) {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
  return JSON.stringify(call, null, 2);
}

async function exchange(method, params, { onProgress, signal, view }) {
  const id = ++lastId;
  const meta = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: {} };
  if (onProgress) meta.progressToken = id;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': VERSION,
    'Mcp-Method': method,
  };
  if (params.name) headers['Mcp-Name'] = params.name;
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
  const where = view || usual;
  const path = where ? `${PATH}?${new URLSearchParams({ view: where })}` : PATH;
  return answer(await send(path, { method: 'POST', signal, headers, body }), id, onProgress);
}

async function answer(response, id, onProgress) {
  if (!(response.headers.get('Content-Type') ?? '').startsWith('text/event-stream')) return response.json();
  for await (const data of eventData(response.body)) {
    const message = JSON.parse(data);
    if (message.id === id) return message;
    if (message.method === 'notifications/progress') onProgress?.(message.params);
  }
  throw new ApiError(0, 'The connection ended before the answer was complete. Try again.');
}

function structured(message) {
  if (message.error) throw new ToolError('PROTOCOL', message.error.message);
  const result = message.result;
  if (result.isError) {
    const error = result._meta?.['switchboard/error'] ?? {};
    const text = error.message ?? result.content?.find(block => block.type === 'text')?.text;
    throw new ToolError(error.kind ?? 'ERROR', text ?? 'The tool failed without a reason.', error.retryAfterMs);
  }
  return result.structuredContent ?? {};
}
