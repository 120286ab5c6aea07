/**
 * How the hits of one answer moved against another: for each hit of `hits` its rank in `others` (from 1), 0 if it is
 * not there.
 *
 * @param {object[]} hits
 * @param {object[]} others
 * @returns {number[]}
 */
export function ranksIn(hits, others) {
  const ranks = new Map(keys(others).map((key, i) => [key, i + 1]));
  return keys(hits).map(key => ranks.get(key) ?? 0);
}

/**
 * One word for a movement.
 *
 * @param {number} rank in this answer, from 1
 * @param {number} other in the other answer, 0 if it is not there
 * @param {'a' | 'b'} side which answer this is: a hit is new in B, and gone from A
 * @returns {{kind: 'same' | 'up' | 'down' | 'new' | 'gone', text: string}}
 */
export function movement(rank, other, side) {
  if (!other) return side === 'b' ? { kind: 'new', text: 'new' } : { kind: 'gone', text: 'gone' };
  const by = side === 'b' ? other - rank : rank - other;
  if (by === 0) return { kind: 'same', text: 'same' };
  return by > 0 ? { kind: 'up', text: `up ${by}` } : { kind: 'down', text: `down ${-by}` };
}

/** Passages of one document are different hits; copies of one passage are counted. */
function keys(hits) {
  const seen = new Map();
  return hits.map(hit => {
    const key = JSON.stringify([hit.address, hit.text ?? '']);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return `${count} ${key}`;
  });
}
