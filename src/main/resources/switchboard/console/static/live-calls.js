import { send } from './api.js';
import { CallRate } from './call-rate.js';
import { serverEvents } from './event-stream.js';

const PATH = 'api/v1/calls';
/** How many calls are kept. */
export const MOST = 500;
const SILENT_MS = 45_000;
const PAUSES_MS = [500, 1000, 2000, 5000, 10_000];

/** Puts a call into a list with the newest one first: those of other gateways come a little later. */
export function insert(calls, call) {
  const at = Date.parse(call.time);
  const place = calls.findIndex(other => Date.parse(other.time) <= at);
  calls.splice(place < 0 ? calls.length : place, 0, call);
}

/**
 * The calls of the gateway, or of all, as they happen. It is connected while the page can be seen: a browser has few connections to one
 * server. `changed` is called at most once a frame.
 */
export class LiveCalls {
  /** `connecting`, `live`, `reconnecting` or `over`. */
  state = 'connecting';
  /** Why it isn't live, if the server says so. */
  error = '';
  /** What one sees: `all`, `team`, `backends`; empty if it is not known yet. */
  sees = '';
  /** Whether there are several gateways. */
  clustered = false;
  /** Whether there are some whose calls can't be had now. */
  missing = false;
  /** How many calls are missing here; `more` if there are others that nobody has counted. */
  missed = { calls: 0, more: false };
  /** The newest one first. */
  calls = [];
  rate = new CallRate();

  #changed;
  #taken;
  #frame = 0;
  #abort = null;
  #known = new Set();
  #lastId = '';
  #skew = 0;
  #seen = () => (document.visibilityState === 'visible' ? this.#connect() : this.#disconnect());

  /**
   * @param {() => void} changed
   * @param {(calls: object[]) => void} taken gets each call that is new
   */
  constructor(changed, taken) {
    this.#changed = changed;
    this.#taken = taken;
  }

  start() {
    document.addEventListener('visibilitychange', this.#seen);
    if (document.visibilityState === 'visible') this.#connect();
  }

  stop() {
    document.removeEventListener('visibilitychange', this.#seen);
    this.#disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** The time of day at the server. */
  now() {
    return Date.now() - this.#skew;
  }

  #disconnect() {
    this.#abort?.abort();
    this.#abort = null;
  }

  async #connect() {
    if (this.#abort) return;
    const abort = (this.#abort = new AbortController());
    for (let tries = 0; !abort.signal.aborted; tries++) {
      const before = this.#lastId;
      const again = await this.#stream(abort);
      if (abort.signal.aborted) return;
      if (!again) {
        this.#become('over');
        this.#abort = null;
        return;
      }
      if (this.#lastId !== before) tries = 0;
      this.#become('reconnecting', this.error);
      await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)], abort.signal);
    }
  }

  /** Reads one answer to its end; whether to ask again. */
  async #stream(abort) {
    const one = new AbortController();
    const ended = () => one.abort();
    abort.signal.addEventListener('abort', ended, { once: true });
    let timer = 0;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(ended, SILENT_MS);
    };
    try {
      const headers = { Accept: 'text/event-stream' };
      if (this.#lastId) headers['Last-Event-ID'] = this.#lastId;
      heard();
      const response = await send(PATH, { headers, signal: one.signal });
      for await (const event of serverEvents(response.body, heard)) this.#take(event);
      return true;
    } catch (e) {
      this.error = e.status ? e.message : '';
      return ![401, 403, 404].includes(e.status);
    } finally {
      clearTimeout(timer);
      abort.signal.removeEventListener('abort', ended);
    }
  }

  #take({ event, id, data }) {
    const value = JSON.parse(data);
    if (id) this.#lastId = id;
    if (event === 'hello') {
      this.#skew = Date.now() - Date.parse(value.time);
      if (!value.resumed && this.calls.length) this.missed.more = true;
      Object.assign(this, { sees: value.sees, clustered: value.clustered, missing: value.missing });
      this.#become('live');
    } else if (event === 'call') {
      this.#add(value);
    } else if (event === 'gateways') {
      this.missing = value.missing;
    } else if (event === 'missed') {
      if (value.calls === undefined) this.missed.more = true;
      else this.missed.calls += value.calls;
      this.rate.add(this.now(), value.calls ?? 0, 0);
    }
    this.#draw();
  }

  #add(call) {
    if (this.#known.has(call.request)) return;
    this.#known.add(call.request);
    insert(this.calls, call);
    while (this.calls.length > MOST) this.#known.delete(this.calls.pop().request);
    if (!this.#known.has(call.request)) return;
    this.rate.add(Date.parse(call.time), call.calls, call.outcome === 'ok' ? 0 : call.calls);
    this.#taken(call);
  }

  #become(state, error = '') {
    Object.assign(this, { state, error });
    this.#draw();
  }

  #draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#changed();
    });
  }
}

function pause(ms, signal) {
  return new Promise(done => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    }, { once: true });
  });
}
