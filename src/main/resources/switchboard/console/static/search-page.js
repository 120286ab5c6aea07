import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { movement, ranksIn } from './comparison.js';
import { errorNote } from './error-note.js';
import { compact, counted } from './format.js';
import { icons } from './icons.js';
import { judge, judgmentsOf } from './judgments.js';
import { call, repeatable } from './mcp.js';
import { SearchRun, expectedSources } from './search-run.js';
import { argumentsOf, readState, writeState } from './search-state.js';
import { singleKey } from './shortcuts.js';
import { sourceStates, summaryOf } from './source-states.js';
import { wordsOf } from './words.js';
import { WindowEvents } from './window-events.js';
import './configuration-form.js';
import './hit-card.js';
import './search-options.js';

const WIDE = matchMedia('(min-width: 62rem)');

/** The search page: its state is that of the URL. */
class SearchPage extends LitElement {
  static properties = {
    state: { state: true }, runs: { state: true }, catalogue: { state: true }, verdicts: { state: true },
    filterError: { state: true }, judgeError: { state: true },
  };

  #resized = () => this.requestUpdate();
  #focusBack = null;
  /** The hit whose document is open; the URL has its address only. */
  #opened = null;

  constructor() {
    super();
    new WindowEvents(this, { popstate: () => this.#moved(), keydown: event => this.#key(event) });
    this.state = readState(location.search);
    this.runs = [];
    this.catalogue = { sources: [], unavailable: [], error: null, loading: true };
    this.verdicts = null;
    this.filterError = '';
    this.judgeError = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    WIDE.addEventListener('change', this.#resized);
    this.#loadSources();
    this.#search();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    WIDE.removeEventListener('change', this.#resized);
    this.runs.forEach(run => run.cancel());
  }

  firstUpdated() {
    if (!this.state.q) this.querySelector('#query').focus();
  }

  updated() {
    document.title = `${this.state.q ? `${this.state.q} · ` : ''}Search · Switchboard`;
  }

  render() {
    const { state } = this;
    const idle = !state.q;
    return html`<main id="main" class="search ${idle ? 'idle' : ''} ${state.b ? 'comparing' : ''}">
      <div class="search-head">
        ${idle ? html`<h1>Search everything</h1><p class="lead">${this.#promise()}</p>` : html`<h1 class="unseen">Search</h1>`}
        ${this.#box()}
        ${idle ? nothing : this.#bar()}
      </div>
      <div class="columns">
        ${state.b ? nothing : html`<aside class="side" aria-label="Where and how to search">
          <details class="side-fold" ?open=${WIDE.matches}><summary>Sources and options</summary>${this.#configuration('a', '')}${this.#options()}</details></aside>`}
        ${state.b ? html`<div class="shared">${this.#options()}</div>` : nothing}
        ${idle && !state.b ? html`<div class="results">${this.#tips()}</div>` : this.#results()}
      </div>
      ${state.open ? this.#document() : nothing}
    </main>`;
  }

  #promise() {
    const { sources, loading, error } = this.catalogue;
    if (loading || error || !sources.length) return 'One question, all sources, one ranked list.';
    const documents = sources.reduce((sum, entry) => sum + (entry.documents ?? 0), 0);
    const backends = new Set(sources.map(entry => entry.backend)).size;
    return `${counted(sources.length, 'source')} of ${counted(backends, 'backend')}${documents ? `, ${compact(documents)} documents` : ''}, one ranked list.`;
  }

  #box() {
    const running = this.runs.some(run => run.running);
    return html`<form class="box" role="search" @submit=${this.#submit}>
      ${icons.search}
      <label class="unseen" for="query">Search all sources</label>
      <input id="query" type="search" name="q" autocomplete="off" spellcheck="false" enterkeyhint="search" maxlength="65536" dir="auto"
        placeholder="What do you want to know?" .value=${this.state.q} @keydown=${this.#boxKey}>
      <kbd class="wide-only" aria-hidden="true">/</kbd>
      ${running ? html`<button type="button" @click=${this.#stop}>Stop</button>` : html`<button type="submit" class="primary">Search</button>`}
    </form>`;
  }

  #bar() {
    const [a, b] = this.runs;
    return html`<div class="bar-row">
      <p class="summary" role="status">${this.state.b ? this.#comparison(a, b) : a ? summaryOf(a) : nothing}</p>
      <div class="bar-buttons">
        ${a && !this.state.b ? html`<copy-button .text=${repeatable('search_everywhere', a.args)} .short=${'Copy call'} .label=${'this search as a JSON-RPC request'}></copy-button>` : nothing}
        <button type="button" class="quiet" aria-pressed=${Boolean(this.state.b)} @click=${this.#toggleCompare}>${icons.compare}<span>Compare</span></button>
      </div>
    </div>`;
  }

  #comparison(a, b) {
    if (!a?.result || !b?.result) return this.runs.some(run => run.running) ? 'Searching twice …' : 'A and B';
    const ranks = ranksIn(b.result.results, a.result.results);
    const both = ranks.filter(Boolean).length;
    const moved = ranks.filter((rank, i) => rank && rank !== i + 1).length;
    return `${both} in both, of which ${moved} moved · ${a.result.results.length - both} only in A · ${ranks.length - both} only in B`;
  }

  #configuration(side, name) {
    return html`<configuration-form .configuration=${this.state[side]} .catalogue=${this.catalogue} .name=${name}
      .open=${!name && WIDE.matches} @change-configuration=${e => this.#change({ [side]: e.detail })}></configuration-form>`;
  }

  #options() {
    return html`<search-options .detail=${this.state.detail} .filters=${this.state.filters} .error=${this.filterError}
      .catalogue=${this.catalogue} @change-options=${e => this.#change(e.detail)}></search-options>`;
  }

  #results() {
    const sides = this.state.b ? ['a', 'b'] : ['a'];
    return html`<div class=${this.state.b ? 'pair' : 'results'}>${sides.map((side, i) => this.#side(side, i))}</div>`;
  }

  #side(side, i) {
    const run = this.runs[i];
    const name = this.state.b ? side.toUpperCase() : '';
    return html`<section class="answer" aria-label=${name ? `Answer of ${name}` : 'Answer'}>
      ${name ? html`<header class="side-head"><h2><span class="letter ${side}">${name}</span><span class="small muted">${run ? summaryOf(run) : nothing}</span></h2>
        ${run ? html`<copy-button .text=${repeatable('search_everywhere', run.args)} .short=${'Copy call'} .label=${`the search of ${name} as a JSON-RPC request`}></copy-button>` : nothing}</header>
        ${this.#configuration(side, name)}` : html`<h2 class="unseen">Results</h2>`}
      ${run ? html`${sourceStates(run, name)}${this.#answer(run, side)}` : nothing}
    </section>`;
  }

  #answer(run, side) {
    if (run.error) return errorNote(run.error, () => this.#search());
    if (!run.result) return run.running ? html`<div class="placeholders" aria-hidden="true"><div></div><div></div><div></div></div>` : nothing;
    const { results, reason, corrected = [] } = run.result;
    return html`
      ${corrected.length ? html`<p class="corrected">Searched ${corrected.map((word, i) => html`${i ? ', ' : nothing}<strong dir="auto">${word.searched}</strong> instead of <s dir="auto">${word.written}</s>`)}: no source has it as written.</p>` : nothing}
      ${this.judgeError ? html`<p class="field-error" role="alert">${this.judgeError}</p>` : nothing}
      ${results.length ? this.#list(results, side) : html`<div class="nothing"><p class="nothing-title">Nothing found</p><p dir="auto">${reason || 'No source has anything that matches.'}</p></div>`}`;
  }

  #list(results, side) {
    const other = this.state.b && this.runs[side === 'a' ? 1 : 0]?.result?.results;
    const ranks = other ? ranksIn(results, other) : [];
    const words = this.#words();
    return html`<ol class="hits" @open-hit=${this.#openHit} @judge-hit=${this.#judgeHit}>${repeat(results, (hit, i) => i, (hit, i) => html`
      <li><hit-card .hit=${hit} .rank=${i + 1} .words=${words} .href=${`search${writeState({ ...this.state, open: hit.address })}`}
        .moved=${other ? movement(i + 1, ranks[i], side) : null} .judging=${this.verdicts !== null}
        .verdict=${this.verdicts?.get(hit.address)}></hit-card></li>`)}</ol>`;
  }

  #tips() {
    return html`<section class="tips" aria-label="How it works">
      <h2>Ask in plain words</h2>
      <p>Nothing in the box is syntax. Every source is asked at the same time, and you see when each one answered.</p>
      <h2>Narrow it</h2>
      <p>Choose sources, set a least relevance, or filter by fields. The address of this page keeps it all: share it.</p>
      <h2>Compare</h2>
      <p>After a search, put two configurations side by side and see how each hit moved.</p>
    </section>`;
  }

  /** Its code comes with the first document. */
  #document() {
    import('./document-panel.js');
    const hits = this.#hits();
    const at = this.#opened ? hits.indexOf(this.#opened) : hits.findIndex(hit => hit.address === this.state.open);
    const waiting = at < 0 && this.runs.some(run => run.running);
    if (waiting) return nothing;
    return html`<document-panel .hit=${hits[at] ?? { address: this.state.open }} .words=${this.#words()}
      .rank=${at + 1} .count=${hits.length} @close-document=${this.#closeDocument} @step-document=${e => this.#stepDocument(at + e.detail)}></document-panel>`;
  }

  /** What is marked: the words of the query, and what was searched instead of one. */
  #words() {
    const corrected = this.runs.flatMap(run => run.result?.corrected ?? []).map(word => word.searched);
    return wordsOf([this.state.q, ...corrected].join(' '));
  }

  #hits() {
    const holder = this.#opened && this.runs.find(run => run.result?.results.includes(this.#opened));
    return (holder ?? this.runs.find(run => run.result?.results.some(hit => hit.address === this.state.open)))?.result.results ?? [];
  }

  #openHit(event) {
    this.#focusBack = document.activeElement;
    this.#opened = event.detail.hit;
    this.state = { ...this.state, open: this.#opened.address };
    history.pushState({ opened: true }, '', this.#url());
  }

  #stepDocument(at) {
    this.#opened = this.#hits()[at];
    this.state = { ...this.state, open: this.#opened.address };
    history.replaceState(history.state, '', this.#url());
    this.#focusBack = [...this.querySelectorAll('.hit-title')].find(link => link.closest('hit-card').hit === this.#opened);
  }

  #closeDocument() {
    if (history.state?.opened) history.back();
    else {
      history.replaceState(null, '', `${location.pathname}${writeState({ ...this.state, open: '' })}`);
      this.#moved();
    }
  }

  async #moved() {
    const before = this.state;
    const state = readState(location.search);
    this.state = state;
    if (writeState({ ...before, open: '' }) !== writeState({ ...state, open: '' })) {
      this.querySelector('#query').value = state.q;
      this.#search();
    }
    if (!state.open) this.#opened = null;
    await this.updateComplete;
    if (before.open && !state.open) this.#focusBack?.focus();
  }

  #submit(event) {
    event.preventDefault();
    const q = this.querySelector('#query').value.trim();
    this.#change({ q });
  }

  /** Takes a change into the URL, and searches again. */
  #change(part) {
    this.state = { ...this.state, ...part, open: '' };
    const url = this.#url();
    if (url !== location.pathname + location.search) history.pushState(null, '', url);
    this.#search();
  }

  #toggleCompare() {
    this.#change({ b: this.state.b ? null : { ...this.state.a } });
  }

  #url() {
    return location.pathname + writeState(this.state);
  }

  #search() {
    this.runs.forEach(run => run.cancel());
    this.#opened = null;
    this.filterError = '';
    this.runs = [];
    if (!this.state.q) return;
    try {
      this.runs = [this.state.a, this.state.b].filter(Boolean).map(configuration => new SearchRun(
        argumentsOf(this.state, configuration),
        expectedSources(this.catalogue.sources, configuration.sources),
        () => this.requestUpdate(),
      ));
    } catch (e) {
      this.filterError = e.message;
      return;
    }
    this.runs.forEach(run => run.start());
    this.#loadJudgments(this.state.q);
  }

  #stop() {
    this.runs.forEach(run => run.cancel());
    this.requestUpdate();
  }

  async #loadSources() {
    try {
      const { sources = [], unavailable = [] } = await call('list_sources', {});
      this.catalogue = { sources, unavailable, error: null, loading: false };
      this.runs.forEach(run => run.expect(expectedSources(sources, run.args.sources ?? [])));
    } catch (error) {
      this.catalogue = { ...this.catalogue, error, loading: false };
    }
  }

  async #loadJudgments(query) {
    this.verdicts = null;
    this.judgeError = '';
    const verdicts = await judgmentsOf(query);
    if (query === this.state.q) this.verdicts = verdicts;
  }

  async #judgeHit({ detail: { hit, verdict } }) {
    const query = this.state.q;
    const before = this.verdicts?.get(hit.address);
    this.#setVerdict(hit.address, verdict);
    this.judgeError = '';
    try {
      await judge(query, hit, verdict);
    } catch (e) {
      if (query !== this.state.q) return;
      this.#setVerdict(hit.address, before);
      this.judgeError = `The judgment was not kept: ${e.message}`;
    }
  }

  #setVerdict(address, verdict) {
    const verdicts = new Map(this.verdicts);
    if (verdict === undefined) verdicts.delete(address);
    else verdicts.set(address, verdict);
    this.verdicts = verdicts;
  }

  #boxKey(event) {
    if (event.key === 'ArrowDown' && this.#focusHit(0)) event.preventDefault();
    if (event.key === 'Escape' && this.runs.some(run => run.running)) {
      event.preventDefault();
      this.#stop();
    }
  }

  #key(event) {
    if (this.querySelector('dialog[open]') || document.querySelector('dialog[open]')) return;
    const key = singleKey(event);
    if (key === '/') {
      event.preventDefault();
      this.querySelector('#query').select();
    } else if (key === 'Escape') this.#stop();
    const within = event.target.closest?.('.hits');
    const by = { j: 1, k: -1, ArrowDown: within && 1, ArrowUp: within && -1 }[key];
    if (by && this.#step(by)) event.preventDefault();
  }

  #step(by) {
    const titles = [...this.querySelectorAll('.hit-title')];
    const current = document.activeElement?.closest?.('.hit')?.querySelector('.hit-title');
    const at = titles.indexOf(current) + (current ? by : 0);
    if (at < 0 && by < 0) {
      this.querySelector('#query').focus();
      return true;
    }
    return this.#focusHit(current ? at : 0);
  }

  #focusHit(at) {
    const title = this.querySelectorAll('.hit-title')[at];
    title?.focus();
    title?.closest('li').scrollIntoView({ block: 'nearest' });
    return Boolean(title);
  }
}

customElements.define('search-page', SearchPage);
