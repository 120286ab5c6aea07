import { ApiError, send } from './api.js';
import { eventData } from './event-stream.js';

const PATH = 'api/v1/mcp';
const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';

let lastId = 0;
let view = '';

/**
 * Says which view calls go to from now on.
 *
 * @param {string} name empty for the default one
 */
export function useView(name) {
  view = name;
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
 * @param {{onProgress?: (progress: object) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<object>} the structured content of the result; fails with {@link ToolError} or `ApiError`
 */
export async function call(tool, args, { onProgress, signal } = {}) {
  const message = request(tool, args, Boolean(onProgress));
  const response = await send(view ? `${PATH}?${new URLSearchParams({ view })}` : PATH, {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': message.method,
      'Mcp-Name': tool,
    },
    body: JSON.stringify(message),
  });
  return structured(await answer(response, message.id, onProgress));
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

function request(tool, args, progress) {
  const id = ++lastId;
  const meta = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: {} };
  if (progress) meta.progressToken = id;
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args, _meta: meta } };
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
