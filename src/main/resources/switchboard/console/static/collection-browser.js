import { LitElement, html, nothing } from 'lit';
import { callIn } from './backend-tools.js';
import { errorNote } from './error-note.js';
import { counted, number } from './format.js';
import { icons } from './icons.js';
import { Listing } from './listing.js';
import { writeState } from './sources-state.js';
import { WatchedJob } from './watched-job.js';
import { wordsOf } from './words.js';
import './collection-schedule.js';
import './document-panel.js';
import './typed-confirmation.js';

const LINES = 2000;
const NO_WORDS = wordsOf('');
const COUNTS = ['added', 'changed', 'renamed', 'removed', 'unchanged'];

/** A collection's folders and files, its update and its removal. Sends `go` with a change of the URL, and `sources-changed`. */
class CollectionBrowser extends LitElement {
  static properties = {
    backend: {}, collection: {}, folder: {}, opened: {}, tools: {}, job: {}, origin: {},
    removing: { state: true },
  };

  #watched = new WatchedJob(this, () => this.#written());
  #listing = new Listing(this);
  #focusBack = null;

  constructor() {
    super();
    this.removing = false;
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watched.watch(null);
  }

  willUpdate(changed) {
    this.#watched.watch(this.job);
    if (['backend', 'collection'].some(name => changed.has(name))) this.#listing.clear();
    if (['backend', 'collection', 'folder'].some(name => changed.has(name))) this.#load();
    if (changed.get('opened') && !this.opened) this.updateComplete.then(() => this.#focusBack?.focus());
  }

  render() {
    return html`
      ${this.#origin()}
      ${this.#upkeep()}
      <collection-schedule .backend=${this.backend} .collection=${this.collection} .mayUpdate=${this.tools.has('collection_update')}></collection-schedule>
      ${this.tools.has('browse_directory') ? html`<section class="documents" aria-label="Folders and files">
        <div class="list-head"><h2>Files</h2>${this.#way()}</div>
        ${this.#listing.error ? errorNote(this.#listing.error, () => this.#load()) : nothing}
        ${this.#entries()}</section>` : nothing}
      ${this.opened ? this.#panel() : nothing}
      ${this.removing ? this.#confirmation() : nothing}`;
  }

  #origin() {
    const { path, pattern, provider } = this.origin ?? {};
    if (!path) return nothing;
    return html`<dl class="fields origin">${Object.entries({ provider, path, pattern }).filter(([, value]) => value)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`;
  }

  #upkeep() {
    const update = this.tools.has('collection_update');
    const remove = this.tools.has('collection_remove');
    if (!update && !remove) return nothing;
    const { running } = this.job;
    return html`<section class="upkeep" aria-label="Upkeep">
      <div class="upkeep-buttons">
        ${!update ? nothing : running ? html`<button type="button" @click=${() => this.job.stop()}>Cancel</button>`
          : html`<button type="button" @click=${() => this.job.start()}>${icons.refresh}<span>Update</span></button>`}
        ${remove ? html`<button type="button" class="quiet remove" ?disabled=${running} @click=${() => (this.removing = true)}>${icons.remove}<span>Remove</span></button>` : nothing}
      </div>
      ${running ? this.#progress() : this.#outcome()}</section>`;
  }

  #progress() {
    const { progress, total, message } = this.job.progress ?? {};
    return html`<progress aria-label="Update" max=${total || 1} .value=${total ? progress : 0}></progress>
      <p class="small muted update-line"><span>${total ? `${number(progress)} of ${number(total)}` : 'Updating …'}</span> <bdi>${message}</bdi></p>`;
  }

  #outcome() {
    const { result, error, cancelled } = this.job;
    if (error) return errorNote(error, () => this.job.start());
    if (cancelled) return html`<p class="small muted" role="status">Cancelled. What was written stays; the next update goes on from there.</p>`;
    if (!result) return nothing;
    const counts = COUNTS.filter(name => result[name]).map(name => `${number(result[name])} ${name}`).join(' · ');
    const remarks = [result.stopped, result.withoutVectors, result.withoutModel].filter(Boolean);
    return html`<p class="update-result" role="status"><strong>${result.complete ? 'Updated' : `Not all was looked at, ${number(result.remaining)} remain`}</strong>${counts ? `: ${counts}` : ''}${result.complete ? '' : '. Update again to go on.'}</p>
      ${remarks.map(remark => html`<p class="small warned" dir="auto">${remark}</p>`)}
      ${result.skippedTotal ? html`<details class="troubles" open><summary>${counted(result.skippedTotal, 'document')} left out</summary>
        <dl>${result.skipped.map(({ path, reason }) => html`<div><dt><bdi>${path}</bdi></dt><dd dir="auto">${reason}</dd></div>`)}</dl></details>` : nothing}`;
  }

  #way() {
    const parts = this.folder.split('/').filter(Boolean);
    if (!parts.length) return html`<p class="small muted" role="status">${this.#total()}</p>`;
    return html`<nav class="small" aria-label="Folder"><a href=${`sources${this.#query({})}`}>${this.collection}</a>${parts.map((part, i) => html`<span class="crumb-mark" aria-hidden="true">›</span>${
      i === parts.length - 1 ? html`<bdi>${part}</bdi>` : html`<a href=${`sources${this.#query({ folder: parts.slice(0, i + 1).join('/') })}`}><bdi>${part}</bdi></a>`}`)}</nav>`;
  }

  #total() {
    const { filesTotal: total = 0, files } = this.#listing.value ?? { files: [] };
    return total > files.length ? `the first ${number(files.length)} of ${number(total)} files` : '';
  }

  #entries() {
    if (!this.#listing.value) return this.#listing.busy ? html`<p class="muted loading" role="status">Reading the folder …</p>` : nothing;
    const folders = this.#listing.value.directories.filter(({ path }) => path && path !== this.folder && parentOf(path) === this.folder);
    if (!folders.length && !this.#listing.value.files.length) return html`<div class="nothing"><p class="nothing-title">No files</p>
      <p>${this.tools.has('collection_update') ? 'Update the collection to read it.' : 'Nothing that you may see is in it.'}</p></div>`;
    return html`<ul class="document-rows ${this.#listing.busy ? 'loading' : ''}">
      ${folders.map(({ path, file_count: files, child_dir_count: below }) => html`<li class="document-row entry">${icons.folder}
        <a class="source-link" href=${`sources${this.#query({ folder: path })}`}><bdi>${path.split('/').at(-1)}</bdi></a>
        <span class="facts">${[files ? counted(files, 'file') : '', below ? counted(below, 'folder') : ''].filter(Boolean).join(' · ')}</span></li>`)}
      ${this.#listing.value.files.map(({ file, title }) => html`<li class="document-row entry">${icons.file}
        <a class="source-link" href=${`sources${this.#query({ folder: this.folder, open: file })}`} @click=${e => (this.#focusBack = e.currentTarget)}><bdi>${file.split('/').at(-1)}</bdi></a>
        <span class="facts" dir="auto">${title}</span></li>`)}</ul>`;
  }

  #panel() {
    if (!this.#listing.value && this.#listing.busy) return nothing;
    const file = this.opened;
    const title = this.#listing.value?.files.find(one => one.file === file)?.title;
    const hit = { address: file, source: `${this.backend}:${this.collection}`, title, read: signal => this.#reading(file, signal) };
    return html`<document-panel .hit=${hit} .words=${NO_WORDS} @close-document=${() => this.#send('go', { here: true, open: '' })}></document-panel>`;
  }

  /** Parts of a file are runs of lines. */
  #reading(file, signal) {
    return async offset => {
      const from = offset || 1;
      const { text, title, totalLines: lines } = await callIn(this.backend, 'get', { file, fromLine: from, maxLines: LINES }, { signal });
      const next = from + LINES <= lines ? from + LINES : undefined;
      return { text: next && !text.endsWith('\n') ? `${text}\n` : text, title, next_offset: next };
    };
  }

  #confirmation() {
    return html`<typed-confirmation .heading=${'Remove this collection?'} .names=${[this.collection]} .verb=${'Remove'}
      .message=${'It leaves the index with all its documents and what was noted about them. The files themselves stay.'}
      .act=${() => callIn(this.backend, 'collection_remove', { name: this.collection })}
      @confirmation-over=${e => this.#over(e.detail)}></typed-confirmation>`;
  }

  async #over(done) {
    this.removing = false;
    if (done) {
      this.#send('sources-changed');
      this.#send('go', {});
      return;
    }
    await this.updateComplete;
    this.querySelector('button.remove')?.focus();
  }

  #written() {
    this.#load();
    this.#send('sources-changed');
  }

  async #load() {
    if (!this.tools.has('browse_directory')) return;
    const args = { collection: this.collection, max_depth: 1, ...(this.folder ? { path: this.folder } : {}) };
    await this.#listing.load(() => callIn(this.backend, 'browse_directory', args));
  }

  #query(change) {
    return writeState({ s: `${this.backend}:${this.collection}`, ...change });
  }

  #send(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

function parentOf(path) {
  return path.split('/').slice(0, -1).join('/');
}

customElements.define('collection-browser', CollectionBrowser);
