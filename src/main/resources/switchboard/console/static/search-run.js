import { call } from './mcp.js';

/** What of a progress message is a status; anything else is shown as it is. */
const STATUSES = ['ok', 'partial', 'timeout', 'denied', 'error'];

/**
 * One search with one configuration while it runs and after it. `changed` is called after every change.
 */
export class SearchRun {
  /** Each source's `{source, status, hits, ms, detail}`; the status is `waiting` until it answered. */
  states = [];
  running = true;
  /** The result of `search_everywhere`, once it is there. */
  result = null;
  /** What went wrong, if it did. */
  error = null;
  progress = { done: 0, total: 0 };
  #abort = new AbortController();
  #changed;

  /**
   * @param {object} args of `search_everywhere`
   * @param {string[]} expected the sources that will be asked, as far as known
   * @param {() => void} changed
   */
  constructor(args, expected, changed) {
    this.args = args;
    this.#changed = changed;
    this.states = expected.map(source => ({ source, status: 'waiting' }));
    this.progress = { done: 0, total: expected.length };
  }

  /**
   * Shows sources as waiting that are known only now.
   *
   * @param {string[]} sources
   */
  expect(sources) {
    const known = new Set(this.states.map(state => state.source));
    const more = sources.filter(source => !known.has(source)).map(source => ({ source, status: 'waiting' }));
    if (this.running && more.length) this.states = [...this.states, ...more];
  }

  /** Asks, and returns when the answer or the error is there. */
  async start() {
    try {
      const onProgress = progress => this.#heard(progress);
      this.result = await call('search_everywhere', this.args, { onProgress, signal: this.#abort.signal });
      this.states = this.result.sources ?? [];
    } catch (e) {
      if (this.#abort.signal.aborted) this.states = [];
      else this.#failed(e);
    }
    this.running = false;
    this.#changed();
  }

  /** Cancels it; nothing more is heard of it. */
  cancel() {
    this.#changed = () => {};
    this.#abort.abort();
    this.running = false;
    this.states = this.states.filter(state => state.status !== 'waiting');
  }

  #failed(error) {
    this.error = error;
    this.states = this.states.filter(state => state.status !== 'waiting');
  }

  #heard({ progress, total, message = '' }) {
    const at = message.lastIndexOf(': ');
    if (at < 0) return;
    const source = message.slice(0, at);
    const [, word, hits] = /^(\w+)(?:, (\d+) hits?)?/.exec(message.slice(at + 2)) ?? [];
    if (!STATUSES.includes(word)) return;
    const heard = { source, status: word, hits: hits === undefined ? undefined : Number(hits) };
    const known = this.states.some(state => state.source === source);
    this.states = known
      ? this.states.map(state => (state.source === source ? heard : state))
      : [...this.states, heard];
    const answered = this.states.filter(state => state.status !== 'waiting').length;
    this.progress = { done: total ? progress : answered, total: total ?? this.states.length };
    this.#changed();
  }
}

/**
 * The sources that a choice names: `<backend>`, `<backend>:<source>`, with `*` for any run of characters.
 *
 * @param {object[]} all as `list_sources` gives them
 * @param {string[]} chosen none means all
 * @returns {string[]}
 */
export function expectedSources(all, chosen) {
  const names = all.map(entry => entry.source);
  if (!chosen.length) return names;
  return names.filter(name => chosen.some(pattern => matches(pattern, name)));
}

function matches(pattern, name) {
  const wanted = pattern.includes(':') ? pattern : `${pattern}:*`;
  const pieces = wanted.split('*');
  if (pieces.length === 1) return wanted === name;
  if (!name.startsWith(pieces[0]) || !name.endsWith(pieces.at(-1))) return false;
  let at = pieces[0].length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - pieces.at(-1).length >= at;
}
