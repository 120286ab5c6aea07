/** The name of the event on `window` that says that one has to sign in again. */
export const SIGNED_OUT = 'console-signed-out';

/** An answer of the server that is not a success. */
export class ApiError extends Error {
  /**
   * @param {number} status the HTTP status; 0 if nothing answered
   * @param {string} message what to show
   * @param {object} body the answer's JSON, `{}` if there is none
   */
  constructor(status, message, body = {}) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/**
 * Sends a request to the console's own server. A network failure is an {@link ApiError} with status 0; an abort
 * stays an `AbortError`. A 401 also tells the page that the session is over.
 *
 * @param {string} path relative to the page
 * @param {RequestInit} [options]
 * @returns {Promise<Response>} an answer with a status of success
 */
export async function send(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new ApiError(0, 'The server doesn’t answer. Is it still running?');
  }
  if (response.ok) return response;
  const body = await json(response);
  if (response.status === 401) {
    window.dispatchEvent(new CustomEvent(SIGNED_OUT, { detail: body }));
  }
  throw new ApiError(response.status, message(response, body), body);
}

/**
 * Sends a JSON body, or none, and returns the JSON of the answer.
 *
 * @param {string} method
 * @param {string} path relative to the page
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<object>}
 */
export async function sendJson(method, path, body, signal) {
  const headers = { Accept: 'application/json' };
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  const response = await send(path, { method, headers, signal, body: body && JSON.stringify(body) });
  return response.status === 204 ? {} : json(response);
}

/**
 * Sends bytes and returns the JSON of the answer.
 *
 * @param {string} path relative to the page
 * @param {ArrayBuffer} bytes
 * @param {AbortSignal} [signal]
 * @returns {Promise<object>}
 */
export async function sendBytes(path, bytes, signal) {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/octet-stream' };
  return json(await send(path, { method: 'POST', headers, signal, body: bytes }));
}

async function json(response) {
  try {
    return (await response.json()) ?? {};
  } catch {
    return {};
  }
}

function message(response, body) {
  return body.error?.message || `The server answered ${response.status}.`;
}
