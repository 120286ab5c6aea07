import { LitElement, html, nothing } from 'lit';
import { webUrl } from './address.js';
import { isObject } from './json-value.js';
import { withDefaults } from './schema.js';
import './schema-form.js';

/**
 * The questions of a tool (MCP elicitation), one after the other. Sends `answer-questions` with the answer to each, by key,
 * when the last one has been answered.
 */
class AskedForm extends LitElement {
  static properties = { questions: {}, at: { state: true }, value: { state: true }, complete: { state: true } };

  #answers = {};

  constructor() {
    super();
    this.questions = {};
    this.at = 0;
    this.value = {};
    this.complete = false;
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (!changed.has('questions')) return;
    this.#answers = {};
    this.#show(0);
  }

  firstUpdated() {
    this.querySelector('h3')?.focus();
  }

  render() {
    const [, question] = this.#entries()[this.at] ?? [];
    if (!question) return nothing;
    const count = this.#entries().length;
    return html`<form class="asked" novalidate aria-labelledby="asked-title" @submit=${this.#accept} @change-value=${this.#change}>
      <h3 id="asked-title" tabindex="-1">The tool asks${count > 1 ? ` (${this.at + 1} of ${count})` : ''}</h3>
      ${question.method === 'elicitation/create' ? this.#question(question.params ?? {}) : this.#unknown(question)}</form>`;
  }

  #question(params) {
    return html`<p class="asked-message" dir="auto">${params.message}</p>
      ${params.mode === 'url' ? this.#page(params.url) : html`<schema-form name="asked" .schema=${params.requestedSchema ?? {}} .value=${this.value} .complete=${this.complete}></schema-form>`}
      <p class="hint">Give nobody a password here: the answer goes to the tool’s server.</p>
      <div class="dialog-buttons"><button type="button" @click=${() => this.#answer({ action: 'cancel' })}>Don’t answer</button>
        <button type="button" @click=${() => this.#answer({ action: 'decline' })}>Decline</button>
        <button type="submit" class="primary">Accept</button></div>`;
  }

  /** Nothing is opened before the person has seen where it leads. */
  #page(address) {
    const url = webUrl(address);
    if (!url) return html`<p class="field-error">It names a page that is no address of the web: <code dir="ltr">${String(address)}</code></p>`;
    return html`<p>It wants you to open a page of <strong>${new URL(url).host}</strong>, and then to accept:</p>
      <p><a href=${url} target="_blank" rel="noopener noreferrer" dir="ltr">${url}</a></p>`;
  }

  #unknown({ method }) {
    return html`<p>It asks for <code>${method}</code>, which this page can’t give. Cancel the call.</p>`;
  }

  #entries() {
    return Object.entries(this.questions);
  }

  #show(at) {
    const schema = this.#entries()[at]?.[1]?.params?.requestedSchema;
    this.at = at;
    this.complete = false;
    this.value = isObject(schema) ? withDefaults(schema, schema) : {};
  }

  #change(event) {
    event.stopPropagation();
    this.value = event.detail;
  }

  #accept(event) {
    event.preventDefault();
    event.stopPropagation();
    const [, { params = {} }] = this.#entries()[this.at];
    if (params.mode === 'url') this.#answer({ action: 'accept' });
    else if (!this.querySelector('schema-form').unreadable()) this.#answer({ action: 'accept', content: this.value });
  }

  async #answer(answer) {
    this.#answers[this.#entries()[this.at][0]] = answer;
    if (this.at + 1 < this.#entries().length) {
      this.#show(this.at + 1);
      await this.updateComplete;
      this.querySelector('h3').focus();
    } else this.dispatchEvent(new CustomEvent('answer-questions', { detail: this.#answers, bubbles: true }));
  }
}

customElements.define('asked-form', AskedForm);
