import { LitElement, html, nothing } from 'lit';
import { counted } from './format.js';
import { isObject } from './json-value.js';
import { problems } from './schema-check.js';
import { toolAnswer } from './tool-answer.js';
import { toolCopies } from './tool-copies.js';
import { isDestructive, tagsOf, titleOf } from './tool-groups.js';
import { fits } from './tool-state.js';
import { WatchedJob } from './watched-job.js';
import './asked-form.js';
import './call-confirmation.js';
import './call-status.js';
import './schema-form.js';

/**
 * One tool: what it says of itself, the form of its arguments, and the answer to the last call. Sends `change-arguments`, and
 * `call-tool` with the arguments.
 */
class ToolPanel extends LitElement {
  static properties = { tool: {}, backend: {}, args: {}, call: {}, session: {}, complete: { state: true }, confirming: { state: true }, state: { state: true } };

  #watched = new WatchedJob(this, () => {});

  constructor() {
    super();
    this.args = {};
    this.call = null;
    this.session = {};
    this.complete = false;
    this.confirming = false;
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    this.#watched.watch(this.call);
    if (changed.has('tool')) {
      this.complete = false;
      this.confirming = false;
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watched.watch(null);
  }

  render() {
    const { tool, call } = this;
    return html`${this.#head()}
      <form class="tool-form" novalidate aria-label="Arguments" @submit=${this.#submit} @change-value=${this.#change} @keydown=${this.#key}>
        <schema-form name="args" .schema=${tool.inputSchema ?? {}} .value=${this.args} .complete=${this.complete}></schema-form>
        ${fits(this.args) ? nothing : html`<p class="hint">These arguments are too long for the address of the page, so it doesn’t have them.</p>`}
        <div class="call-buttons"><button type="submit" class="primary" ?disabled=${Boolean(call?.open)}>Call the tool</button>${this.#warning()}</div>
      </form>
      ${toolCopies(tool, this.args, this.session)}
      ${call ? this.#answer(call) : nothing}
      ${this.confirming ? html`<call-confirmation .tool=${tool} .args=${this.args} @confirmation-over=${this.#confirmed}></call-confirmation>` : nothing}`;
  }

  #head() {
    const { tool } = this;
    const title = titleOf(tool);
    return html`<div class="page-head"><p class="small crumb-line">${this.backend || nothing}</p>
      <h1 tabindex="-1" dir="auto">${title || tool.name}</h1>
      <p class="tool-name">${title ? html`<code dir="auto">${tool.name}</code>` : nothing}
        ${tagsOf(tool).map(({ word, meaning }) => html`<span class="tag ${word === 'destructive' ? 'bad' : ''}" title=${meaning}>${word}</span> `)}</p>
      ${tool.description ? html`<p class="tool-description" dir="auto">${tool.description}</p>` : nothing}</div>`;
  }

  #warning() {
    const count = this.complete ? problems(this.args, this.tool.inputSchema ?? {}).size : 0;
    return html`<p class="small field-error" role="status">${count ? `${counted(count, 'field')} may not be as the tool wants ${count === 1 ? 'it' : 'them'}. The gateway decides.` : ''}</p>`;
  }

  #answer(call) {
    return html`<section class="tool-answer" aria-labelledby="answer-title"><h2 id="answer-title">Answer</h2>
      <call-status .call=${call}></call-status>
      ${call.state === 'asking' ? html`<asked-form .questions=${call.questions} @answer-questions=${e => call.answer(e.detail)}></asked-form>` : nothing}
      ${call.open ? nothing : toolAnswer(call)}</section>`;
  }

  #change(event) {
    this.dispatchEvent(new CustomEvent('change-arguments', { detail: event.detail, bubbles: true }));
  }

  /** Enter begins a line in most fields; with Ctrl it calls. */
  #key(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.currentTarget.requestSubmit();
    }
  }

  #submit(event) {
    event.preventDefault();
    if (this.call?.open || this.querySelector('schema-form').unreadable()) return;
    this.complete = true;
    if (isDestructive(this.tool)) this.confirming = true;
    else this.#send();
  }

  #confirmed(event) {
    this.confirming = false;
    if (event.detail) this.#send();
  }

  #send() {
    this.dispatchEvent(new CustomEvent('call-tool', { detail: isObject(this.args) ? { ...this.args } : this.args, bubbles: true }));
  }
}

customElements.define('tool-panel', ToolPanel);
