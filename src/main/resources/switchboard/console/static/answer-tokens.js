/** The gateway's own rough estimate. */
const BYTES_OF_A_TOKEN = 4;

/**
 * About how many tokens an answer costs an agent: the gateway's rough rule, four bytes a token. Its limits count by a vocabulary
 * that is too large for a page.
 *
 * @param {object} message
 * @returns {number}
 */
export function estimatedTokens(message) {
  return Math.ceil(new TextEncoder().encode(JSON.stringify(message)).length / BYTES_OF_A_TOKEN);
}
