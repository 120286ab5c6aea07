import { LitElement, html, nothing } from 'lit';
import { errorNote } from './error-note.js';
import { counted, number, score } from './format.js';
import { Listing } from './listing.js';
import { call } from './mcp.js';
import { when } from './tuning-words.js';
import { wordsOf } from './words.js';
import './action-confirmation.js';

/**
 * A standing question with its news. `watch` is its URI, `document` the address of the document that is open. Sends `go` with a
 * change of the URL, and `watches-changed` after its end.
 */
class WatchDetail extends LitElement {
  static properties = { watch: {}, document: {}, ending: { state: true } };

  #read = new Listing(this);

  constructor() {
    super();
    this.ending = false;
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (!changed.has('watch')) return;
    this.#read.clear();
    this.#load();
  }

  render() {
    const { value, error, busy } = this.#read;
    const one = value?.watches[0];
    return html`<section class="gap-part" aria-labelledby="watch-title" aria-busy=${busy}>
      ${error ? errorNote(error, () => this.#load()) : nothing}
      ${one ? this.#content(one) : html`<h2 id="watch-title">${busy ? 'Reading the news …' : 'A standing question'}</h2>`}
      ${one && this.document ? this.#document(one) : nothing}
      ${this.ending ? html`<action-confirmation .heading=${'End this question?'} .verb=${'End it'} .act=${() => this.#end()}
        .message=${`“${one?.query ?? this.watch}” is asked no more, and its news is gone.`} @confirmation-over=${e => this.#over(e.detail)}></action-confirmation>` : nothing}
    </section>`;
  }

  #content(one) {
    const { query, status, reason, note, sources, filters, min_relevance: relevance, limit, last_run: ran, news, unchecked, lost, webhook, watch } = one;
    return html`<div class="held-head"><h2 id="watch-title" class="anywhere" dir="auto">${query}</h2>
        <div class="watch-buttons"><button type="button" @click=${() => this.#load()}>Read again</button><button type="button" @click=${() => (this.ending = true)}>End it</button></div></div>
      ${reason ? html`<p class="read-only anywhere" dir="auto">${reason}</p>` : nothing}
      <dl class="tuning-figures anywhere">
        <div><dt>State</dt><dd>${status}</dd></div><div><dt>Asked last</dt><dd>${when(ran)}</dd></div>
        <div><dt>Sources</dt><dd><bdi>${sources ? sources.join(', ') : 'all'}</bdi></dd></div>
        <div><dt>What counts</dt><dd>The first ${counted(limit, 'hit')}${relevance ? ` with a relevance of at least ${score(relevance)}` : ''}</dd></div>
        ${filters ? html`<div><dt>Filters</dt><dd><code>${JSON.stringify(filters)}</code></dd></div>` : nothing}
        ${note ? html`<div><dt>Note</dt><dd dir="auto">${note}</dd></div>` : nothing}
        ${webhook ? html`<div><dt>Webhook</dt><dd>${webhook.url}<span class="small muted watch-note" dir="auto">${webhook.status}${webhook.detail ? `: ${webhook.detail}` : ''}</span></dd></div>` : nothing}
        <div><dt>URI for agents</dt><dd><code>${watch}</code></dd></div></dl>
      <h3>News</h3>
      ${news?.length ? html`<ol class="gap-list">${news.map(hit => this.#hit(hit))}</ol>` : html`<p class="muted">Nothing new was found since the question was asked.</p>`}
      ${unchecked ? html`<p class="small muted">${number(unchecked)} more can’t be shown now: ${unchecked === 1 ? 'its source does' : 'their sources do'} not answer.</p>` : nothing}
      ${lost ? html`<p class="small muted">${number(lost)} older ${lost === 1 ? 'document' : 'documents'} found no room.</p>` : nothing}`;
  }

  #hit({ address, title, source, relevance, found }) {
    return html`<li class="gap"><h4><button type="button" class="link anywhere" dir="auto" @click=${() => this.#tell('go', { document: address })}>${title || address}</button></h4>
      <p class="small muted anywhere"><span class="source-tag">${source}</span> found ${when(found)}${relevance === undefined ? nothing : `, relevance ${score(relevance)}`}</p></li>`;
  }

  /** Its code comes with the first document. */
  #document({ news, query }) {
    import('./document-panel.js');
    const hits = news ?? [];
    const at = hits.findIndex(hit => hit.address === this.document);
    return html`<document-panel .hit=${hits[at] ?? { address: this.document }} .words=${wordsOf(query)} .rank=${at + 1} .count=${hits.length}
      @close-document=${() => this.#tell('go', { document: '' })} @step-document=${e => this.#step(hits[at + e.detail])}></document-panel>`;
  }

  #step(hit) {
    if (hit) this.#tell('go', { document: hit.address });
  }

  #load() {
    return this.#read.load(() => call('watch_search', { watch: this.watch }));
  }

  #end() {
    return call('watch_search', { watch: this.watch, end: true });
  }

  #over(done) {
    this.ending = false;
    if (done) this.#tell('watches-changed', { watch: '', said: 'The question is ended.' });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

customElements.define('watch-detail', WatchDetail);
