/** Beyond so many pairs of lines texts are not compared line by line. */
const MOST_PAIRS = 4_000_000;

/**
 * What has to be removed from, and added to, the lines of one text so that they are those of another one: the shortest such list.
 * Texts that are too long for that are removed and added as a whole, apart from what they have in common at both ends.
 *
 * @param {string} before
 * @param {string} after
 * @returns {{change: '' | 'removed' | 'added', text: string}[]}
 */
export function lineDiff(before, after) {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = lines => lines.map(text => ({ change: '', text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function middle(a, b) {
  const removed = text => ({ change: 'removed', text });
  const added = text => ({ change: 'added', text });
  if (a.length * b.length > MOST_PAIRS) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  // How many lines the rest of both have in common at most, from each pair of places on.
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j]
        ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ change: '', text: a[i] });
      i++;
      j++;
    } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) {
      lines.push(removed(a[i++]));
    } else {
      lines.push(added(b[j++]));
    }
  }
  return [...lines, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}
