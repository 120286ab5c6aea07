import { sendJson } from './api.js';

const PATH = 'api/v1/session';

/**
 * Who is signed in: `{auth, team, key, operator, view, expires}`.
 *
 * @returns {Promise<object>} fails with status 401 if one has to sign in
 */
export function currentSession() {
  return sendJson('GET', PATH);
}

/**
 * Signs in. The key is sent once and kept nowhere in the page.
 *
 * @param {string} key
 * @returns {Promise<object>} the session
 */
export function signIn(key) {
  return sendJson('POST', PATH, { key });
}

/** Ends the session. */
export function signOut() {
  return sendJson('DELETE', PATH);
}
