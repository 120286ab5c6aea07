const WORDS = new Set(
  ('abstract and as assert async await begin bool boolean break byte case catch chan char class const constexpr continue ' +
    'crate def default defer del delete do double elif else elsif end ensure enum except export extends extern false ' +
    'final finally float fn for foreach from func function global go goto if impl implements import in include int ' +
    'interface is lambda let local long match mod module mut namespace new nil None not null or override package pass ' +
    'permits private protected pub public raise record ref require rescue return sealed select self short signed static ' +
    'struct super switch synchronized template then this throw throws trait true True False try type typedef typeof ' +
    'union unless unsafe until use using val var virtual void volatile when where while with yield').split(' '),
);

/** In this order: what begins a comment also occurs in strings, and the other way round; the first one wins. */
const TOKEN =
  /(?<comment>\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*(?: .*|\/.*)?$|(?<=^|\s)#(?![a-z]+\s*[<"]).*|(?<=^|\s)--\s.*|<!--.*?(?:-->|$))|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<number>\b\d[\w.]*\b)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/gu;

/** Longer lines are not source that people read. */
const LONGEST = 1000;

/**
 * Cuts one line of source code into tokens. One set of rules for all languages: comments, strings, numbers, keywords.
 *
 * @param {string} line
 * @returns {{text: string, kind: '' | 'comment' | 'string' | 'number' | 'keyword'}[]}
 */
export function tokens(line) {
  if (line.length > LONGEST) return [{ text: line, kind: '' }];
  const result = [];
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    const kind = kindOf(match);
    if (!kind) continue;
    if (match.index > at) result.push({ text: line.slice(at, match.index), kind: '' });
    result.push({ text: match[0], kind });
    at = match.index + match[0].length;
  }
  if (at < line.length) result.push({ text: line.slice(at), kind: '' });
  return result;
}

function kindOf({ groups }) {
  if (groups.word !== undefined) return WORDS.has(groups.word) ? 'keyword' : '';
  return ['comment', 'string', 'number'].find(kind => groups[kind] !== undefined);
}
