import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { errorNote } from './error-note.js';
import { counted, number } from './format.js';
import { Listing } from './listing.js';
import { call } from './mcp.js';
import { linkWithin, showInAddress } from './page-links.js';
import { when } from './tuning-words.js';
import { readState, withWords, writeState } from './watches-state.js';
import { WindowEvents } from './window-events.js';
import './new-watch.js';
import './watch-detail.js';

const PAGE = 100;

/** The page of the standing questions of the person: its state is that of the URL. */
class WatchesPage extends LitElement {
  static properties = { state: { state: true }, shown: { state: true }, said: { state: true } };

  #list = new Listing(this);

  constructor() {
    super();
    new WindowEvents(this, { popstate: () => this.#moved(readState(location.search)) });
    this.state = readState(location.search);
    /** How many rows are shown at most. */
    this.shown = PAGE;
    this.said = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Watches · Switchboard';
    this.#load();
  }

  render() {
    const { value, error, busy } = this.#list;
    return html`<main id="main" class="live watches" aria-busy=${busy} @click=${this.#clicked} @go=${e => this.#go(e.detail)} @watches-changed=${e => this.#changed(e.detail)}>
      <div class="page-head"><h1 tabindex="-1">Watches</h1>
        <p class="muted" role="status">${this.said || (busy ? 'Looking at your questions …' : value ? summary(value.watches) : '')}</p></div>
      ${error ? this.#failed(error) : nothing}
      ${value ? this.state.watch ? this.#detail() : this.#content(value.watches) : nothing}
    </main>`;
  }

  #failed(error) {
    return error.kind === 'DENIED'
      ? html`${purpose()}<p class="read-only anywhere" role="alert">${error.message}</p>`
      : errorNote(error, () => this.#load());
  }

  #detail() {
    return html`<p><a href=${`watches${writeState({ ...this.state, watch: '', document: '' })}`}>All questions</a></p>
      <watch-detail .watch=${this.state.watch} .document=${this.state.document}></watch-detail>`;
  }

  #content(watches) {
    const found = withWords(watches, this.state.filter);
    return html`<new-watch></new-watch>
      ${watches.length ? html`<form class="live-filters" aria-label="Which questions" @submit=${e => e.preventDefault()}>
        <div class="field"><label for="watches-filter">Words in the question, the note or the sources</label>
          <input id="watches-filter" type="search" maxlength="200" .value=${this.state.filter} @change=${e => this.#go({ filter: e.target.value.trim() })}></div></form>
        ${found.length ? this.#table(found) : html`<p class="muted">No question has these words.</p>`}` : purpose()}`;
  }

  #table(found) {
    return html`<div class="table-frame"><table class="usage-table">
      <caption class="unseen">Your standing questions</caption>
      <thead><tr><th scope="col">Question</th><th scope="col" class="wide">Sources</th><th scope="col">State</th><th scope="col" class="wide">Asked last</th><th scope="col" class="wide">Last news</th><th scope="col" class="amount">News</th></tr></thead>
      <tbody>${repeat(found.slice(0, this.shown), one => one.watch, one => this.#row(one))}</tbody></table></div>
      ${found.length > this.shown ? html`<button type="button" class="more" @click=${() => (this.shown += PAGE)}>Show ${number(Math.min(PAGE, found.length - this.shown))} more of ${number(found.length)}</button>` : nothing}`;
  }

  #row(one) {
    return html`<tr>
      <td class="anywhere"><a class="watch-link" dir="auto" href=${`watches${writeState({ ...this.state, watch: one.watch })}`}>${one.query}</a>
        ${one.note ? html`<span class="small muted watch-note" dir="auto">${one.note}</span>` : nothing}</td>
      <td class="wide anywhere"><bdi>${one.sources ? one.sources.join(', ') : 'all'}</bdi></td>
      <td class="watch-state">${one.status}${one.reason ? html`<span class="small muted watch-note" dir="auto">${one.reason}</span>` : nothing}</td>
      <td class="wide">${when(one.last_run)}</td><td class="wide">${one.last_news ? when(one.last_news) : '–'}</td>
      <td class="amount">${number(one.news_count)}</td></tr>`;
  }

  #load() {
    return this.#list.load(() => call('watch_search', {}));
  }

  /** A question is asked or ended: the list is read again. */
  async #changed({ said, watch }) {
    this.#go({ watch, document: '' });
    await this.#load();
    this.said = said;
    await this.updateComplete;
    this.querySelector('h1').focus();
  }

  #clicked(event) {
    const url = linkWithin(event);
    if (!url) return;
    showInAddress(url.search, false);
    this.#moved(readState(url.search));
    this.querySelector('h1').focus();
  }

  #go(change) {
    const state = { ...this.state, ...change };
    showInAddress(writeState(state), false);
    this.#moved(state);
  }

  #moved(state) {
    this.state = state;
    this.shown = PAGE;
    this.said = '';
  }
}

function summary(watches) {
  if (!watches.length) return 'You have no standing question.';
  const asleep = watches.filter(one => one.status === 'asleep').length;
  return `${counted(watches.length, 'question')}${asleep ? `, of which ${number(asleep)} ${asleep === 1 ? 'is' : 'are'} asleep` : ''}.`;
}

function purpose() {
  return html`<p>A standing question is asked again and again, with your rights: what is found that was not among the answers before is news. Nobody else sees yours. It is switched on for a team with <code>insight.teams.TEAM.watches</code> in the configuration; agents ask with the tool <code>watch_search</code>.</p>`;
}

customElements.define('watches-page', WatchesPage);
