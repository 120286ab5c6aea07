import { sendJson } from './api.js';

const PATH = 'api/v1/backends';
const EVERY_MS = 5000;
/** Polls that are kept, and how many of them the numbers are about. */
const KEPT = 60;
const RECENT = 12;

/**
 * Asks for the backends' health again and again while the page is visible, and makes rates of its counters. `changed` is
 * called after every answer, with a sentence for each backend whose status is another one.
 */
export class BackendHealth {
  /** By id; null if it is not known. */
  backends = null;
  /** Why there is no new answer, if so. */
  error = null;
  #changed;
  #last = new Map();
  #intervals = new Map();
  #abort = null;
  #timer = 0;
  #seen = () => (document.visibilityState === 'visible' ? this.#poll() : this.#pause());

  /** @param {(news: string[]) => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  start() {
    document.addEventListener('visibilitychange', this.#seen);
    if (document.visibilityState === 'visible') this.#poll();
  }

  stop() {
    document.removeEventListener('visibilitychange', this.#seen);
    this.#pause();
  }

  /**
   * What the last minute was like.
   *
   * @param {string} id
   * @returns {{perMinute: number, failed: number, latency: number | null} | null} null if it is not known (yet)
   */
  recent(id) {
    const intervals = (this.#intervals.get(id) ?? []).slice(-RECENT);
    if (!intervals.length) return null;
    const sum = name => intervals.reduce((total, interval) => total + interval[name], 0);
    const calls = sum('calls');
    return { perMinute: (calls * 60_000) / sum('ms'), failed: sum('failed'), latency: calls ? (sum('seconds') * 1000) / calls : null };
  }

  /**
   * The mean latency in ms between two polls, the latest last; null where nothing was called.
   *
   * @param {string} id
   * @returns {(number | null)[]}
   */
  latencies(id) {
    return (this.#intervals.get(id) ?? []).map(({ calls, seconds }) => (calls ? (seconds * 1000) / calls : null));
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
  }

  async #poll() {
    this.#pause();
    const abort = (this.#abort = new AbortController());
    try {
      const { backends = [] } = await sendJson('GET', PATH, undefined, abort.signal);
      if (abort.signal.aborted) return;
      const news = this.#news(backends);
      backends.forEach(backend => this.#count(backend));
      this.backends = new Map(backends.map(backend => [backend.id, backend]));
      this.error = null;
      this.#changed(news);
    } catch (e) {
      if (abort.signal.aborted) return;
      // A gateway without this page says 404; who is signed out is asked to sign in.
      if (e.status === 404 || e.status === 401) return;
      this.error = e;
      this.#changed([]);
    }
    this.#timer = setTimeout(() => this.#poll(), EVERY_MS);
  }

  #news(backends) {
    return backends
      .filter(({ id, status }) => this.backends?.has(id) && this.backends.get(id).status !== status)
      .map(({ id, status }) => `${id} is ${status} now`);
  }

  /** Counters that are smaller than before are those of a gateway that was started again. */
  #count({ id, calls, failed = 0, seconds = 0 }) {
    if (calls === undefined) return;
    const at = performance.now();
    const last = this.#last.get(id);
    this.#last.set(id, { at, calls, failed, seconds });
    if (!last || calls < last.calls) return;
    const interval = { ms: at - last.at, calls: calls - last.calls, failed: Math.max(0, failed - last.failed), seconds: Math.max(0, seconds - last.seconds) };
    this.#intervals.set(id, [...(this.#intervals.get(id) ?? []), interval].slice(-KEPT));
  }
}
