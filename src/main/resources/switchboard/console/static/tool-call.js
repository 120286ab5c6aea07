import { argumentHeaders } from './header-value.js';
import { callRaw } from './mcp.js';

/** What this page can be asked by tools. */
const CAPABILITIES = { elicitation: { form: {}, url: {} } };

/** A tool that asks without end is not asked again. */
const MOST_ROUNDS = 20;

/** One call of a tool, with the questions that it asks. It sends `changed` whenever something of it has. */
export class ToolCall extends EventTarget {
  /** `running`, `asking`, `done`, `failed` or `cancelled`. */
  state = 'running';
  progress = null;
  /** What was sent and what came, as it was on the wire. */
  messages = [];
  /** The message that ended it. */
  message = null;
  error = null;
  /** The questions that the person is to answer, by key. */
  questions = {};
  #requestState;
  #rounds = 0;
  #abort = null;
  #spent = 0;
  #since = 0;

  /**
   * @param {object} tool as `tools/list` describes it
   * @param {unknown} args
   */
  constructor(tool, args) {
    super();
    this.tool = tool;
    this.args = args;
  }

  get running() {
    return this.state === 'running';
  }

  /** Whether it still wants something: an answer from the tool, or one from the person. */
  get open() {
    return this.running || this.state === 'asking';
  }

  /** How long the tool took, in milliseconds; the time that a person takes for an answer doesn't count. */
  get elapsed() {
    return this.#spent + (this.#since ? performance.now() - this.#since : 0);
  }

  start() {
    return this.#send({});
  }

  /**
   * Goes on with the answers to the questions.
   *
   * @param {Record<string, object>} inputResponses by key
   */
  answer(inputResponses) {
    return this.#send({ inputResponses, ...(this.#requestState === undefined ? {} : { requestState: this.#requestState }) });
  }

  /** Ends it; the gateway cancels what runs. */
  cancel() {
    if (!this.open) return;
    this.#abort?.abort();
    this.#end('cancelled');
  }

  async #send(more) {
    const { signal } = (this.#abort = new AbortController());
    Object.assign(this, { state: 'running', progress: null, questions: {} });
    this.#since = performance.now();
    this.#say();
    try {
      const message = await callRaw({ name: this.tool.name, arguments: this.args, ...more }, {
        signal,
        capabilities: CAPABILITIES,
        headers: argumentHeaders(this.tool.inputSchema, this.args),
        onSent: sent => this.messages.push({ sent: true, message: sent }),
        onProgress: progress => {
          this.progress = progress;
          this.#say();
        },
      });
      if (!signal.aborted) await this.#received(message);
    } catch (e) {
      if (signal.aborted) return;
      if (e.body?.jsonrpc) this.#refused(e.body);
      else {
        this.error = e;
        this.#end('failed');
      }
    }
  }

  async #received(message) {
    this.messages.push({ sent: false, message });
    const { result } = message;
    if (result?.resultType !== 'input_required') {
      this.message = message;
      this.#end('done');
      return;
    }
    this.#requestState = result.requestState;
    if (++this.#rounds > MOST_ROUNDS) throw new Error(`The tool has asked ${MOST_ROUNDS} times; the page doesn’t go on.`);
    this.questions = result.inputRequests ?? {};
    if (Object.keys(this.questions).length) this.#end('asking');
    else await this.answer({});
  }

  /** An answer of JSON-RPC with a status that is no success. */
  #refused(message) {
    this.messages.push({ sent: false, message });
    this.message = message;
    this.#end('done');
  }

  #end(state) {
    if (this.#since) this.#spent += performance.now() - this.#since;
    this.#since = 0;
    this.state = state;
    this.#say();
  }

  #say() {
    this.dispatchEvent(new Event('changed'));
  }
}
