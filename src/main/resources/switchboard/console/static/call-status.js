import { LitElement, html, nothing } from 'lit';
import { duration } from './format.js';
import { answerFacts } from './tool-answer.js';
import { WatchedJob } from './watched-job.js';

const TICK_MS = 100;

/** How far a call is: its progress and time while it runs, then what became of it. */
class CallStatus extends LitElement {
  static properties = { call: {} };

  #watched = new WatchedJob(this, () => {});
  #timer = 0;

  createRenderRoot() {
    return this;
  }

  willUpdate() {
    this.#watched.watch(this.isConnected ? this.call : null);
  }

  connectedCallback() {
    super.connectedCallback();
    this.requestUpdate();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watched.watch(null);
    clearInterval(this.#timer);
  }

  /** The time goes on while it runs. */
  updated() {
    clearInterval(this.#timer);
    if (this.isConnected && this.call?.running) this.#timer = setInterval(() => this.requestUpdate(), TICK_MS);
  }

  render() {
    const { call } = this;
    if (!call) return nothing;
    return html`${call.open ? this.#running(call) : html`<p class="summary">${answerFacts(call)}</p>`}
      <p class="unseen" role="status">${call.running ? 'The tool is called.' : call.state === 'asking' ? 'The tool asks something.' : answerFacts(call)}</p>`;
  }

  #running(call) {
    const { progress, total, message } = call.progress ?? {};
    const known = Number.isFinite(progress) && total > 0;
    return html`<div class="call-running">
      ${call.running ? html`<progress aria-label="Progress" max=${known ? total : 1} value=${known ? progress : nothing}></progress>` : nothing}
      <div class="call-line"><p class="small muted">${call.running ? 'Running' : 'Waiting for you'} · <span class="elapsed">${duration(call.elapsed)}</span>${known ? ` · ${progress} of ${total}` : progress === undefined ? '' : ` · ${progress}`}
        ${message ? html` · <span dir="auto">${message}</span>` : nothing}</p>
        <button type="button" @click=${() => call.cancel()}>Cancel</button></div></div>`;
  }
}

customElements.define('call-status', CallStatus);
