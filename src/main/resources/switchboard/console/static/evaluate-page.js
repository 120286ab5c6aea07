import { LitElement, html, nothing } from 'lit';
import { configurationsOf, readState, writeState } from './evaluate-state.js';
import { EvaluationRun, judgedSets } from './evaluation-run.js';
import { errorNote } from './error-note.js';
import { number } from './format.js';
import { icons } from './icons.js';
import { call } from './mcp.js';
import { showInAddress } from './page-links.js';
import { WindowEvents } from './window-events.js';
import './configuration-form.js';
import './evaluation-result.js';
import './search-options.js';

/** The page that measures configurations of the search on judged queries: its state is that of the URL. */
class EvaluatePage extends LitElement {
  static properties = { session: {}, state: { state: true }, sets: { state: true }, catalogue: { state: true }, run: { state: true }, error: { state: true }, filterError: { state: true } };


  constructor() {
    super();
    new WindowEvents(this, {
      popstate: () => (this.state = readState(location.search)),
      beforeunload: event => this.run?.running && event.preventDefault(),
    });
    this.session = null;
    this.state = readState(location.search);
    this.sets = null;
    this.catalogue = { sources: [], unavailable: [], error: null, loading: true };
    this.run = null;
    this.error = null;
    this.filterError = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Evaluate · Switchboard';
    this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.run?.cancel();
  }

  render() {
    return html`<main id="main" class="evaluate">
      <div class="page-head"><h1 tabindex="-1">Evaluate</h1>
        <p class="muted">How good a search is, on the queries whose hits your team has judged; with two configurations, which one is better.</p></div>
      ${this.error ? errorNote(this.error, () => this.#load()) : this.sets ? this.#body() : html`<p class="muted">Looking for judged sets …</p>`}
    </main>`;
  }

  #body() {
    const chosen = this.#chosen();
    const usable = this.sets.some(set => set.queries);
    if (!usable) return this.#empty();
    return html`${this.#form(chosen)}${this.#progress()}${this.#answer()}`;
  }

  #chosen() {
    return this.sets.find(set => set.name === this.state.set) ?? (this.state.set ? null : this.sets[0]);
  }

  #empty() {
    return html`<div class="nothing"><p class="nothing-title">No query is judged yet</p>
      <p>Search for what your team asks, and say of each hit <strong>This answers</strong> or <strong>This doesn’t</strong>. A query counts once one of its hits answers it; with some 20 of them figures begin to mean something.</p>
      <p><a href="search">Search and judge</a></p></div>`;
  }

  #form(chosen) {
    const { a, b, filters, set } = this.state;
    const ready = chosen?.queries > 0;
    return html`<form class="evaluate-form" aria-label="What to evaluate" @submit=${this.#submit}>
      <div class="evaluate-row">
        <div class="field"><label for="set">Judged set</label><select id="set" @change=${e => this.#go({ set: e.target.value })}>
          ${chosen ? nothing : html`<option value=${set} selected>${set} (not there)</option>`}
          ${this.sets.map((one, i) => html`<option value=${i ? one.name : ''} .selected=${one === chosen}>${one.name} (${queries(one.queries)})</option>`)}</select></div>
        <button type="button" aria-pressed=${Boolean(b)} @click=${() => this.#go({ b: b ? null : { ...a } })}>${icons.compare}<span>Compare two</span></button>
        ${this.run?.running ? html`<button type="button" @click=${() => this.run.cancel()}>Cancel</button>` : html`<button type="submit" class="primary" ?disabled=${!ready}>Evaluate</button>`}
      </div>
      ${chosen && !ready ? html`<p class="small muted">This set has no query with an answer yet.</p>` : nothing}
      <div class="evaluate-configurations ${b ? 'two' : ''}">
        ${b ? ['a', 'b'].map(side => html`<section aria-label=${`Configuration ${side.toUpperCase()}`}><h2 class="configuration-title"><span class="letter ${side}">${side.toUpperCase()}</span></h2>${this.#configuration(side)}</section>`) : this.#configuration('a')}
      </div>
      <search-options .withoutDetail=${true} .filters=${filters} .error=${this.filterError} .catalogue=${this.catalogue} @change-options=${e => this.#go(e.detail)}></search-options>
    </form>`;
  }

  #configuration(side) {
    return html`<configuration-form .configuration=${this.state[side]} .catalogue=${this.catalogue} .name=${this.state.b ? side.toUpperCase() : ''}
      @change-configuration=${e => this.#go({ [side]: e.detail })}></configuration-form>`;
  }

  #progress() {
    const { run } = this;
    if (!run?.running) return nothing;
    return html`<div class="evaluate-progress">
      <progress aria-label="Queries that are done" max=${run.total || 1} .value=${run.queries.length}></progress>
      <p class="small muted">${run.total ? `${number(run.queries.length)} of ${queries(run.total)}` : 'Starting …'}${run.waiting ? html` · waiting: ${run.waiting}` : nothing}</p></div>`;
  }

  #answer() {
    const { run } = this;
    return html`<p class="unseen" role="status">${this.#news()}</p>
      ${run?.error ? errorNote(run.error) : nothing}
      ${run?.cancelled ? html`<p class="muted">Cancelled after ${queries(run.queries.length)}.</p>` : nothing}
      ${run?.figures ? html`${this.#outdated() ? html`<p class="small outdated">These figures are of what was chosen before. Evaluate again for what is chosen now.</p>` : nothing}
        <evaluation-result .run=${run} .show=${this.state.show} @show-queries=${e => this.#go({ show: e.detail }, true)}></evaluation-result>` : nothing}`;
  }

  /** Only the beginning and the end are said aloud. */
  #news() {
    if (!this.run) return '';
    if (this.run.running) return 'The evaluation runs';
    return this.run.figures ? 'The evaluation is done' : 'The evaluation has ended without figures';
  }

  #outdated() {
    return writeState({ ...this.run.state, show: this.state.show }) !== writeState(this.state);
  }

  #go(part, here = false) {
    this.state = { ...this.state, ...part };
    this.filterError = '';
    showInAddress(writeState(this.state), here);
  }

  #submit(event) {
    event.preventDefault();
    let configurations;
    try {
      configurations = configurationsOf(this.state);
    } catch (e) {
      this.filterError = e.message;
      return;
    }
    const wanted = { set: this.state.set, configurations, view: this.session.view ?? '' };
    const run = new EvaluationRun(wanted, this.state, () => run === this.run && this.requestUpdate());
    this.run = run;
    run.start();
  }

  async #load() {
    this.error = null;
    const sources = this.#loadSources();
    try {
      this.sets = await judgedSets();
    } catch (e) {
      this.error = e;
    }
    await sources;
  }

  async #loadSources() {
    try {
      const { sources = [], unavailable = [] } = await call('list_sources', {});
      this.catalogue = { sources, unavailable, error: null, loading: false };
    } catch (error) {
      this.catalogue = { ...this.catalogue, error, loading: false };
    }
  }
}

function queries(count) {
  return count === 1 ? '1 query' : `${number(count)} queries`;
}

customElements.define('evaluate-page', EvaluatePage);
