import { ApiError, send } from './api.js';
import { eventData } from './event-stream.js';
import { headerValue } from './header-value.js';

const PATH = 'api/v1/mcp';
const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const MOST_TOOLS = 10_000;

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
 * Calls a tool once, as {@link call} does, and keeps the answer as it came.
 *
 * @param {{name: string, arguments: unknown, inputResponses?: object, requestState?: string}} params
 * @param {{onProgress?: (progress: object) => void, onSent?: (message: object) => void, signal?: AbortSignal, capabilities?: object,
 *   headers?: Record<string, string>}} [options] `onSent` gets the request; `capabilities` are those of this client
 * @returns {Promise<object>} the message with `result` or `error`; fails with `ApiError`
 */
export function callRaw(params, options = {}) {
  return exchange('tools/call', params, options);
}

/**
 * The tools that the person may use in a view, as they are described to agents.
 *
 * @param {string} [view]
 * @returns {Promise<object[]>}
 */
export async function listTools(view) {
  const tools = new Map();
  let cursor;
  do {
    const message = await exchange('tools/list', cursor === undefined ? {} : { cursor }, { view });
    if (message.error) throw new ToolError('PROTOCOL', message.error.message);
    message.result.tools.forEach(tool => tools.set(tool.name, tool));
    cursor = message.result.nextCursor;
  } while (cursor !== undefined && tools.size < MOST_TOOLS);
  return [...tools.values()];
}

/**
 * The names of the tools that the person may use in a view; none of a backend's view for who may not use the default one.
 *
 * @param {string} view
 * @returns {Promise<Set<string>>}
 */
export async function toolNames(view) {
  if (view && usual) return new Set();
  return new Set((await listTools(view)).map(tool => tool.name));
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

async function exchange(method, params, { onProgress, onSent, signal, view, capabilities = {}, headers = {} }) {
  const id = ++lastId;
  const meta = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: capabilities };
  if (onProgress) meta.progressToken = id;
  const sent = {
    ...headers,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': VERSION,
    'Mcp-Method': method,
  };
  if (params.name) sent['Mcp-Name'] = headerValue(params.name);
  const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
  onSent?.(message);
  const where = view || usual;
  const path = where ? `${PATH}?${new URLSearchParams({ view: where })}` : PATH;
  return answer(await send(path, { method: 'POST', signal, headers: sent, body: JSON.stringify(message) }), id, onProgress);
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
