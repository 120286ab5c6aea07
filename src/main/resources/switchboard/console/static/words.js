const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const COMMON = new Set(
  ('a an and are as at be by can do does for from has have how i if in is it its my no not of on or our the their ' +
    'this that to us was we what when where which who why with you your').split(' '),
);

/**
 * What of a query is marked in texts: words as they begin, and pairs of characters of scripts without spaces.
 *
 * @param {string} query
 * @returns {{stems: string[], pieces: string[]}}
 */
export function wordsOf(query) {
  const all = query.normalize().match(WORD) ?? [];
  const unspaced = all.filter(word => UNSPACED.test(word));
  const spaced = [...new Set(all.filter(word => !UNSPACED.test(word)).map(folded))];
  const rare = spaced.filter(word => !COMMON.has(word));
  return {
    stems: (rare.length ? rare : spaced).map(stem),
    pieces: [...new Set(unspaced.flatMap(pairs))],
  };
}

/**
 * Cuts a text into pieces that are words of the query and pieces between them.
 *
 * @param {string} text
 * @param {{stems: string[], pieces: string[]}} words
 * @returns {{text: string, marked: boolean}[]}
 */
export function marked(text, words) {
  const spans = [];
  for (const match of text.matchAll(WORD)) {
    if (UNSPACED.test(match[0])) spans.push(...inside(match[0], match.index, words.pieces));
    else if (meant(folded(match[0]), words.stems)) spans.push([match.index, match.index + match[0].length]);
    else spans.push(...parts(match[0], match.index, words.stems));
  }
  return segments(text, spans);
}

function segments(text, spans) {
  const result = [];
  let at = 0;
  for (const [from, to] of spans) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    if (start > at) result.push({ text: text.slice(at, start), marked: false });
    const last = result.at(-1);
    if (last?.marked && start === at) last.text += text.slice(start, to);
    else result.push({ text: text.slice(start, to), marked: true });
    at = to;
  }
  if (at < text.length) result.push({ text: text.slice(at), marked: false });
  return result;
}

/** The words of a name in code, such as `travelPolicy`. */
function parts(name, offset, stems) {
  if (!/\p{Ll}\p{Lu}/u.test(name)) return [];
  return [...name.matchAll(/\p{Lu}*[^\p{Lu}]+|\p{Lu}+/gu)]
    .filter(part => meant(folded(part[0]), stems))
    .map(part => [offset + part.index, offset + part.index + part[0].length]);
}

function inside(run, offset, pieces) {
  const spans = [];
  for (const piece of pieces) {
    for (let at = run.indexOf(piece); at >= 0; at = run.indexOf(piece, at + 1)) {
      spans.push([offset + at, offset + at + piece.length]);
    }
  }
  return spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
}

function pairs(run) {
  const characters = [...run];
  if (characters.length <= 2) return [run];
  return characters.slice(1).map((character, i) => characters[i] + character);
}

function meant(word, stems) {
  return stems.some(stem => (stem.whole ? word === stem.text : fits(word, stem.text)));
}

/** A longer word with the same beginning counts, within the length that endings have. */
function fits(word, beginning) {
  return word.startsWith(beginning) && word.length <= beginning.length + 5;
}

function stem(word) {
  if (word.length < 4 || /\p{N}/u.test(word)) return { text: word, whole: true };
  const cut = word.length >= 7 ? 2 : word.length >= 5 ? 1 : 0;
  return { text: word.slice(0, word.length - cut), whole: false };
}

function folded(word) {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
