import { LitElement, html, nothing } from 'lit';
import { breadcrumb, webUrl } from './address.js';
import { isCode } from './code-files.js';
import { DocumentReader, atAddress } from './document-reader.js';
import { errorNote } from './error-note.js';
import { number } from './format.js';
import { fieldTable } from './hit-card.js';
import { icons } from './icons.js';
import { singleKey } from './shortcuts.js';
import { tokens } from './syntax.js';
import { marked } from './words.js';
import './copy-button.js';

/**
 * The document of a hit, at the hit's place. Sends `close-document`, and `step-document` with 1 or -1 for the next hit
 * or the previous one. A hit without an address of the gateway has `read`: it takes a signal, and gives what reads a part.
 */
class DocumentPanel extends LitElement {
  static properties = { hit: {}, words: {}, rank: {}, count: {}, reader: { state: true }, error: { state: true }, busy: { state: true } };

  #abort = new AbortController();

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.updateComplete.then(() => this.querySelector('dialog').showModal());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#abort.abort();
  }

  willUpdate(changed) {
    if (changed.has('hit') && !same(changed.get('hit'), this.hit)) this.#open();
  }

  render() {
    const { hit, reader } = this;
    const crumbs = breadcrumb(hit.address);
    return html`<dialog class="panel" aria-labelledby="document-title" @cancel=${this.#cancelled} @click=${this.#clicked} @keydown=${this.#key}>
      <header>
        <div class="panel-bar">
          ${this.rank ? html`<div class="steps">
            ${this.#step(-1, 'Previous hit', icons.previous, this.rank <= 1)}
            <span class="small muted">${this.rank} of ${this.count}</span>
            ${this.#step(1, 'Next hit', icons.next, this.rank >= this.count)}</div>` : html`<span></span>`}
          <button type="button" class="quiet icon-only" aria-label="Close the document" title="Close (Esc)" @click=${this.#close}>${icons.close}</button>
        </div>
        <h2 id="document-title" dir="auto">${reader?.title || hit.title || crumbs.at(-1)}</h2>
        <p class="where">${hit.source ? html`<span class="source-tag">${hit.source}</span>` : nothing}
          <span class="crumbs">${crumbs.slice(1).map((part, i) => html`${i ? html`<span class="crumb-mark" aria-hidden="true">›</span>` : nothing}<bdi>${part}</bdi>`)}</span></p>
        <div class="actions">${this.#link(reader?.url ?? hit.url)}
          <copy-button .text=${hit.address} .short=${'Copy address'} .label=${'of this document'}></copy-button>
          ${reader?.total ? html`<span class="small muted">${number(reader.total)} characters</span>` : nothing}</div>
        ${hit.fields ? html`<details class="panel-fields"><summary>Fields</summary>${fieldTable(hit.fields)}</details>` : nothing}
      </header>
      <div class="panel-body" tabindex="0" autofocus role="region" aria-label="Text of the document">${this.#body()}</div>
    </dialog>`;
  }

  #body() {
    if (this.error) return errorNote(this.error, () => this.#open());
    if (!this.reader) return html`<p class="muted loading" role="status">Reading the document …</p>`;
    const { shown, place, text } = this.reader;
    return html`
      ${this.hit.text && !place ? html`<p class="small muted note">The passage isn’t in the text as it is now. This is the beginning.</p>` : nothing}
      ${shown.from > 0 ? html`<button type="button" class="more" @click=${this.#before}>Show more before</button>` : nothing}
      ${text ? isCode(this.hit) ? this.#lines() : html`<div class="prose" dir="auto">${this.#prose(shown.from, shown.to)}</div>`
        : html`<p class="muted">This document has no text.</p>`}
      ${this.reader.more ? html`<button type="button" class="more" ?disabled=${this.busy} @click=${this.#after}>Show more after</button>` : nothing}`;
  }

  /** The text from one place to another, with what of the passage is in it marked. */
  #prose(from, to) {
    const { text, place } = this.reader;
    const start = place ? Math.min(Math.max(place.from, from), to) : to;
    const end = place ? Math.max(Math.min(place.to, to), start) : to;
    if (start === end) return text.slice(from, to);
    const lines = text.slice(start, end).split(/(\n\s*)/);
    return html`${text.slice(from, start)}${lines.map((line, i) => (i % 2 || !line ? line : this.#found(line)))}${text.slice(end, to)}`;
  }

  #found(line) {
    return html`<span class="found">${this.#pieces(line)}</span>`;
  }

  #pieces(text) {
    return marked(text, this.words).map(piece => (piece.marked ? html`<mark>${piece.text}</mark>` : piece.text));
  }

  #lines() {
    const { text, shown, place, firstLine } = this.reader;
    const lines = [];
    for (let at = shown.from; at < shown.to;) {
      const end = text.indexOf('\n', at);
      const next = end < 0 || end >= shown.to ? shown.to : end + 1;
      lines.push([at, end < 0 || end >= shown.to ? shown.to : end]);
      at = next;
    }
    const within = ([from, to]) => place && from < place.to && to >= place.from;
    return html`<ol class="code" start=${firstLine} dir="ltr">${lines.map(line => html`<li class=${within(line) ? 'in-passage found' : nothing}><code>${this.#code(text.slice(...line), within(line))}</code></li>`)}</ol>`;
  }

  #code(line, within) {
    return tokens(line).map(({ text, kind }) => {
      const shown = within ? this.#pieces(text) : text;
      return kind ? html`<span class=${kind}>${shown}</span>` : shown;
    });
  }

  #step(by, label, icon, disabled) {
    return html`<button type="button" class="quiet icon-only" aria-label=${label} title="${label} (${by > 0 ? 'j' : 'k'})" ?disabled=${disabled}
      @click=${() => this.#send('step-document', by)}>${icon}</button>`;
  }

  #link(url) {
    const web = webUrl(url);
    if (web) return html`<a class="button quiet" href=${web} target="_blank" rel="noopener noreferrer">${icons.out}<span>Original</span></a>`;
    return url ? html`<span class="small muted url">${url}</span>` : nothing;
  }

  async #open() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.reader = null;
    this.error = null;
    this.busy = false;
    try {
      const reader = new DocumentReader(this.hit.read?.(signal) ?? atAddress(this.hit.address, signal));
      await reader.open(this.hit.text ?? '');
      if (signal.aborted) return;
      this.reader = reader;
      await this.updateComplete;
      this.#scrollToPassage();
    } catch (e) {
      if (!signal.aborted) this.error = e;
    }
  }

  #scrollToPassage() {
    const body = this.querySelector('.panel-body');
    const found = body.querySelector('.found');
    body.scrollTop = found ? found.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 5 : 0;
  }

  /** What was at the top stays where it was. */
  async #before() {
    const body = this.querySelector('.panel-body');
    const below = body.scrollHeight - body.scrollTop;
    this.reader.before();
    this.requestUpdate();
    await this.updateComplete;
    body.scrollTop = body.scrollHeight - below;
    body.focus({ preventScroll: true });
  }

  async #after() {
    const reader = this.reader;
    this.busy = true;
    try {
      await reader.after();
    } catch (e) {
      if (reader === this.reader) this.error = e;
    }
    if (reader === this.reader) this.busy = false;
  }

  #key(event) {
    const by = { j: 1, k: -1 }[singleKey(event)];
    const rank = this.rank + by;
    if (!by || !this.rank || rank < 1 || rank > this.count) return;
    event.preventDefault();
    event.stopPropagation();
    this.#send('step-document', by);
  }

  #cancelled(event) {
    event.preventDefault();
    this.#close();
  }

  #clicked(event) {
    if (event.target === event.currentTarget) this.#close();
  }

  #close() {
    this.#send('close-document');
  }

  #send(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

function same(a, b) {
  return a?.address === b?.address && a?.text === b?.text;
}

customElements.define('document-panel', DocumentPanel);
