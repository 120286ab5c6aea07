import { ApiError, sendJson } from './api.js';

const PATH = 'api/v1/judgments';

/**
 * The judgments of one query.
 *
 * @param {string} query
 * @returns {Promise<Map<string, boolean> | null>} by address whether it answers; null if judging is not offered
 */
export async function judgmentsOf(query) {
  try {
    const { judgments = [] } = await sendJson('GET', `${PATH}?${new URLSearchParams({ query })}`);
    return new Map(judgments.map(judgment => [judgment.address, judgment.answers]));
  } catch (e) {
    if (e instanceof ApiError) return null;
    throw e;
  }
}

/**
 * Says whether a hit answers a query, or takes that back.
 *
 * @param {string} query
 * @param {object} hit
 * @param {boolean | undefined} answers undefined takes it back
 * @returns {Promise<object>}
 */
export function judge(query, hit, answers) {
  const { address, title, text = '' } = hit;
  return answers === undefined
    ? sendJson('DELETE', PATH, { query, address })
    : sendJson('POST', PATH, { query, address, title, text, answers });
}
