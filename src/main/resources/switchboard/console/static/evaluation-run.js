import { ApiError, send, sendJson } from './api.js';
import { serverEvents } from './event-stream.js';

const PATH = 'api/v1/evaluations';

const REASONS = {
  signed_out: 'You are not signed in any more.',
  stopping: 'The gateway stops. Try again when it is back.',
};

/**
 * The judged sets that the person may evaluate, the own one first.
 *
 * @returns {Promise<{name: string, queries: number}[]>}
 */
export async function judgedSets() {
  const { sets = [] } = await sendJson('GET', PATH);
  return sets;
}

/** One evaluation while it runs and after it; `changed` is called after every change, at most once a frame. */
export class EvaluationRun {
  running = true;
  cancelled = false;
  /** Why there are no figures, if there are none. */
  error = null;
  /** How many queries there are, once that is known. */
  total = 0;
  /** Each query that is done, with the values of each configuration. */
  queries = [];
  /** What it waits for, if it does. */
  waiting = '';
  /** The result, once it is there. */
  figures = null;
  #abort = new AbortController();
  #changed;
  #frame = 0;

  /**
   * @param {{set: string, configurations: object[], view: string}} wanted
   * @param {object} state of the page, of which the figures are
   * @param {() => void} changed
   */
  constructor(wanted, state, changed) {
    this.wanted = wanted;
    this.state = state;
    this.#changed = changed;
  }

  /** Runs it, and returns when it is over. */
  async start() {
    try {
      await this.#read();
      if (!this.figures && !this.error) this.error = new ApiError(0, 'The connection ended before the evaluation was done. Try again.');
    } catch (e) {
      if (this.#abort.signal.aborted) this.cancelled = true;
      else this.error = e;
    }
    this.running = false;
    this.waiting = '';
    this.#draw();
  }

  /** Cancels it, in the gateway too. */
  cancel() {
    this.#abort.abort();
  }

  async #read() {
    const { view, set, configurations } = this.wanted;
    const path = view ? `${PATH}?${new URLSearchParams({ view })}` : PATH;
    const body = JSON.stringify(set ? { set, configurations } : { configurations });
    const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
    const response = await send(path, { method: 'POST', headers, body, signal: this.#abort.signal });
    for await (const { event, data } of serverEvents(response.body)) this.#take(event, JSON.parse(data));
  }

  #take(event, value) {
    this.waiting = event === 'waiting' ? value.message : '';
    if (event === 'begin') this.total = value.queries;
    else if (event === 'query') this.queries.push(value);
    else if (event === 'result') this.figures = value;
    else if (event === 'over') this.error = over(value);
    this.#draw();
  }

  #draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#changed();
    });
  }
}

/** An error as a page shows it, with the configuration that it is about. */
function over({ reason, configuration, kind, message }) {
  const which = configuration === undefined ? '' : `${'AB'[configuration]}: `;
  return Object.assign(new Error(REASONS[reason] ?? `${which}${message}`), { kind });
}
