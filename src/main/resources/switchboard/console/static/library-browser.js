import { LitElement, html, nothing } from 'lit';
import { callIn, mayAdd } from './backend-tools.js';
import { errorNote } from './error-note.js';
import { counted, day, number } from './format.js';
import { icons } from './icons.js';
import { Listing } from './listing.js';
import { writeState } from './sources-state.js';
import { WatchedJob } from './watched-job.js';
import { wordsOf } from './words.js';
import './add-files.js';
import './document-panel.js';
import './typed-confirmation.js';

const PAGE = 25;
const NO_WORDS = wordsOf('');

/** The documents of a library, a page at a time. Sends `go` with a change of the URL, and `sources-changed`. */
class LibraryBrowser extends LitElement {
  static properties = {
    backend: {}, library: {}, page: {}, opened: {}, tools: {}, queue: {},
    deleting: { state: true }, said: { state: true },
  };

  #watched = new WatchedJob(this, () => this.#written());
  #listing = new Listing(this);
  #focusBack = null;

  constructor() {
    super();
    this.deleting = null;
    this.said = '';
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watched.watch(null);
  }

  willUpdate(changed) {
    this.#watched.watch(this.queue);
    if (['backend', 'library'].some(name => changed.has(name))) {
      this.#listing.clear();
      this.said = '';
    }
    if (['backend', 'library', 'page'].some(name => changed.has(name))) this.#load();
    if (changed.get('opened') && !this.opened) this.updateComplete.then(() => this.#focusBack?.focus());
  }

  render() {
    return html`
      ${mayAdd(this.tools) ? html`<add-files .queue=${this.queue}></add-files>` : nothing}
      <section class="documents" aria-label="Documents">
        <div class="list-head"><h2>Documents</h2><p class="small muted" role="status">${this.said || this.#range()}</p></div>
        ${this.#listing.error ? errorNote(this.#listing.error, () => this.#load()) : nothing}
        ${this.#documents()}
        ${this.#pages()}
      </section>
      ${this.opened ? this.#panel() : nothing}
      ${this.deleting ? this.#confirmation() : nothing}`;
  }

  #range() {
    if (!this.#listing.value?.documents.length) return '';
    const first = (this.page - 1) * PAGE + 1;
    return `${number(first)} to ${number(first + this.#listing.value.documents.length - 1)} of ${number(this.#listing.value.total)}, the newest first`;
  }

  #documents() {
    if (!this.#listing.value) return this.#listing.busy ? html`<p class="muted loading" role="status">Reading the list …</p>` : nothing;
    if (!this.#listing.value.documents.length) return html`<div class="nothing"><p class="nothing-title">No documents</p>
      <p>${mayAdd(this.tools) ? 'The library is there with its first document.' : 'Nothing that you may see is in it.'}</p></div>`;
    return html`<ul class="document-rows ${this.#listing.busy ? 'loading' : ''}">${this.#listing.value.documents.map(document => this.#document(document))}</ul>`;
  }

  #document(document) {
    const { doc_id: id, title, source, chunk_count: chunks, created_at: created } = document;
    return html`<li class="document-row">
      <div class="source-what">
        <h3 dir="auto"><a class="source-link" href=${`sources${this.#query({ open: id })}`} @click=${e => (this.#focusBack = e.currentTarget)}>${title || source}</a></h3>
        ${title && title !== source ? html`<p class="facts" title=${source}><bdi>${source}</bdi></p>` : nothing}
        <p class="facts">${counted(chunks, 'chunk')} · added ${day(created)}</p>
      </div>
      ${this.tools.has('delete_document') ? html`<button type="button" class="quiet icon-only" aria-label=${`Delete ${title || source}`} title="Delete"
        @click=${() => (this.deleting = document)}>${icons.remove}</button>` : nothing}</li>`;
  }

  #pages() {
    const last = Math.ceil((this.#listing.value?.total ?? 0) / PAGE);
    if (last <= 1) return nothing;
    return html`<nav class="pages" aria-label="Pages of documents">
      ${this.#page(this.page - 1, 'Newer', this.page > 1)}<span class="small muted">Page ${number(this.page)} of ${number(last)}</span>
      ${this.#page(this.page + 1, 'Older', this.page < last)}</nav>`;
  }

  #page(page, name, there) {
    return there ? html`<a class="button" href=${`sources${this.#query({ page })}`}>${name}</a>` : html`<button type="button" disabled>${name}</button>`;
  }

  #panel() {
    const known = this.#listing.value?.documents.find(document => document.doc_id === this.opened);
    const address = `switchboard://${[this.backend, this.library, this.opened].map(encodeURIComponent).join('/')}`;
    if (!known && !this.#listing.value && this.#listing.busy) return nothing;
    const { doc_id: _id, title, content_hash: _hash, metadata, ...rest } = known ?? {};
    const fields = known && { ...rest, ...metadata };
    return html`<document-panel .hit=${{ address, source: `${this.backend}:${this.library}`, title, fields }} .words=${NO_WORDS}
      @close-document=${() => this.#go({ open: '' })}></document-panel>`;
  }

  #confirmation() {
    const { title, source } = this.deleting;
    return html`<typed-confirmation .heading=${'Delete this document?'} .names=${[...new Set([title, source].filter(Boolean))]}
      .message=${'It leaves the index with all its chunks. The file or page that it came from stays.'}
      .act=${() => this.#delete(this.deleting)} @confirmation-over=${e => this.#over(e.detail)}></typed-confirmation>`;
  }

  async #delete({ doc_id: id, title, source }) {
    const { found } = await callIn(this.backend, 'delete_document', { doc_id: id });
    this.said = found ? `Deleted: ${title || source}` : `It was not there any more: ${title || source}`;
  }

  async #over(done) {
    const at = this.#listing.value?.documents.indexOf(this.deleting) ?? 0;
    this.deleting = null;
    if (done) await this.#load();
    await this.updateComplete;
    const buttons = this.querySelectorAll('.document-row button');
    (buttons[Math.min(at, buttons.length - 1)] ?? this.closest('main').querySelector('h1')).focus();
    if (done) this.#send('sources-changed');
  }

  #written() {
    this.said = '';
    this.#load();
    this.#send('sources-changed');
  }

  async #load() {
    if (!this.tools.has('list_documents')) return;
    const args = { library: this.library, limit: PAGE, offset: (this.page - 1) * PAGE };
    const list = await this.#listing.load(() => callIn(this.backend, 'list_documents', args));
    const last = Math.max(1, Math.ceil((list?.total ?? 0) / PAGE));
    if (list && this.page > last) this.#go({ page: last });
  }

  #query(change) {
    return writeState({ s: `${this.backend}:${this.library}`, page: this.page, ...change });
  }

  #go(change) {
    this.#send('go', { here: true, ...change });
  }

  #send(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

customElements.define('library-browser', LibraryBrowser);
