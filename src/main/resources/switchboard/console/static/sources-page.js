import { LitElement, html, nothing } from 'lit';
import { backendCard, filterFields, searchIn, sourceFacts, statusChip } from './backend-card.js';
import { BackendHealth } from './backend-health.js';
import { callIn, mayAdd, toolsOf } from './backend-tools.js';
import { errorNote } from './error-note.js';
import { compact, counted } from './format.js';
import { icons } from './icons.js';
import { Jobs } from './jobs.js';
import { call } from './mcp.js';
import { linkWithin, showInAddress } from './page-links.js';
import { MANY_SOURCES, withWords } from './source-filter.js';
import { partsOf, readState, writeState } from './sources-state.js';
import { WindowEvents } from './window-events.js';
import './collection-browser.js';
import './library-browser.js';
import './new-collection.js';

/** The page of backends and their sources: its state is that of the URL. */
class SourcesPage extends LitElement {
  static properties = {
    state: { state: true }, catalogue: { state: true }, wanted: { state: true }, news: { state: true }, tools: { state: true }, collections: { state: true },
  };

  #health = new BackendHealth(news => this.#heard(news));
  #jobs = new Jobs();

  constructor() {
    super();
    new WindowEvents(this, { popstate: () => this.#moved(), beforeunload: event => this.#jobs.running && event.preventDefault() });
    this.state = readState(location.search);
    this.catalogue = { sources: [], unavailable: [], error: null, loading: true };
    this.wanted = '';
    this.news = '';
    /** The names of each backend's tools, or the error; a backend that is not there has not been asked. */
    this.tools = new Map();
    /** What each backend with collections says of them. */
    this.collections = new Map();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#health.start();
    this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#health.stop();
    this.#jobs.stop();
  }

  updated() {
    document.title = `${this.state.s ? `${partsOf(this.state.s)[1]} · ` : ''}Sources · Switchboard`;
    this.#backends().filter(backend => typeOf(backend)).forEach(backend => this.#askTools(backend));
  }

  render() {
    return html`<main id="main" class="sources" @click=${this.#clicked} @go=${e => this.#go(e.detail)} @sources-changed=${() => this.#load()}>
      <p class="unseen" role="status">${this.news}</p>
      ${this.state.s ? this.#source() : this.#overview()}
    </main>`;
  }

  #overview() {
    const { error, loading } = this.catalogue;
    const sources = this.#entries();
    return html`<div class="page-head"><h1 tabindex="-1">Sources</h1><p class="muted">${this.#promise()}</p></div>
      ${this.#health.error ? html`<p class="small field-error" role="alert">The backends’ health is that of before: ${this.#health.error.message}</p>` : nothing}
      ${error ? errorNote(error, () => this.#load()) : nothing}
      ${sources.length > MANY_SOURCES ? html`<input type="search" class="filter" placeholder="Filter sources" aria-label="Filter sources"
        .value=${this.wanted} @input=${e => (this.wanted = e.target.value)}>` : nothing}
      ${loading ? html`<div class="placeholders loading" aria-hidden="true"><div></div><div></div></div>` : html`<div class="backends">${this.#cards()}</div>`}`;
  }

  #promise() {
    const sources = this.#entries();
    if (this.catalogue.loading) return 'Asking what there is …';
    const documents = sources.reduce((sum, entry) => sum + (entry.documents ?? 0), 0);
    return `${counted(sources.length, 'source')} of ${counted(this.#backends().length, 'backend')}${documents ? `, ${compact(documents)} documents` : ''}`;
  }

  #cards() {
    const { unavailable } = this.catalogue;
    const shown = withWords(this.#entries(), this.wanted);
    const cards = this.#backends()
      .map(backend => [backend, shown.filter(entry => entry.backend === backend.id), unavailable.filter(state => partsOf(state.source)[0] === backend.id)])
      .filter(([, sources]) => sources.length || !this.wanted.trim());
    if (!cards.length) return html`<div class="nothing"><p class="nothing-title">Nothing to show</p>
      <p>${this.wanted ? 'No source has these words.' : 'There is nothing that you may search.'}</p></div>`;
    return cards.map(([backend, sources, missing]) => backendCard(backend, sources, missing, this.#health, this.#newSource(backend)));
  }

  #newSource(backend) {
    const tools = this.#tools(backend.id);
    if (typeOf(backend) === 'agentroot' && tools.has('collection_add')) return html`<new-collection .backend=${backend.id}></new-collection>`;
    if (typeOf(backend) !== 'vectordb' || !mayAdd(tools)) return nothing;
    const id = `new-library-${backend.id}`;
    return html`<form class="inline-form" @submit=${event => this.#openNew(event, backend.id)}>
      <label for=${id}>New library</label>
      <input id=${id} name="library" required maxlength="128" autocomplete="off" placeholder="Its name">
      <button type="submit">Add files to it</button></form>`;
  }

  #source() {
    const { s } = this.state;
    const [backend, name] = partsOf(s);
    const entry = this.#entries().find(one => one.source === s);
    const known = this.#backends().find(one => one.id === backend) ?? { id: backend };
    return html`<div class="page-head">
        <nav class="small crumb-line" aria-label="Way here"><a href="sources">Sources</a> <span class="crumb-mark" aria-hidden="true">›</span> <span>${backend}</span> ${statusChip(known)}</nav>
        <h1 tabindex="-1" dir="auto">${name}</h1>
        ${entry?.description ? html`<p class="muted" dir="auto">${entry.description}</p>` : nothing}
        ${entry ? html`<p>${sourceFacts(entry)}</p>${filterFields(entry)}` : nothing}
        ${entry && !entry.unread ? html`<p class="actions"><a class="button quiet" href=${searchIn(s)}>${icons.search}<span>Search here</span></a></p>` : nothing}
        ${known.detail && known.detail !== known.status ? html`<p class="small backend-detail" dir="auto">${known.detail}</p>` : nothing}
      </div>
      ${this.#inside(known, name, entry)}`;
  }

  #inside(backend, name, entry) {
    const { error, loading } = this.catalogue;
    if (loading) return html`<p class="muted loading" role="status">Asking what there is …</p>`;
    if (error && !entry) return errorNote(error, () => this.#load());
    const type = typeOf(backend);
    const tools = this.tools.get(backend.id);
    if (type && tools instanceof Error) return errorNote(tools, () => this.#askTools(backend, true));
    if (type && !tools) return html`<p class="muted loading" role="status">Asking what you may do here …</p>`;
    if (type === 'vectordb' && (tools.has('list_documents') || mayAdd(tools))) {
      return html`<library-browser .backend=${backend.id} .library=${name} .page=${this.state.page} .opened=${this.state.open}
        .tools=${tools} .queue=${this.#jobs.files(backend.id, name, tools)}></library-browser>`;
    }
    if (!entry) return this.#unknown(backend.id);
    if (type === 'agentroot') {
      return html`<collection-browser .backend=${backend.id} .collection=${name} .folder=${this.state.folder} .opened=${this.state.open}
        .tools=${tools} .origin=${this.#collection(backend.id, name)} .job=${this.#jobs.update(backend.id, name)}></collection-browser>`;
    }
    return html`<p class="muted">Its documents are found by searching; they are changed where they come from.</p>`;
  }

  #unknown(backend) {
    const why = this.catalogue.unavailable.find(state => partsOf(state.source)[0] === backend);
    return html`<div class="nothing"><p class="nothing-title">No such source</p>
      <p dir="auto">${why ? `${why.source} can’t be listed: ${why.detail || why.status}` : 'It is not there, or you may not see it.'}</p></div>`;
  }

  /** Those whose health is known first, then those that have sources only, or can't be listed. */
  #backends() {
    const known = [...(this.#health.backends?.values() ?? [])];
    const { sources, unavailable } = this.catalogue;
    const named = [...sources.map(entry => entry.backend), ...unavailable.map(state => partsOf(state.source)[0])];
    const more = [...new Set(named)].filter(id => !known.some(backend => backend.id === id));
    // What the gateway itself offers is of interest to those who run it.
    return [...known.filter(({ type, calls }) => type !== 'switchboard' || calls !== undefined), ...more.map(id => ({ id }))];
  }

  /** The sources, and collections that can't be searched yet because nothing of them was read. */
  #entries() {
    const { sources } = this.catalogue;
    const known = new Set(sources.map(entry => entry.source));
    const unread = [...this.collections].flatMap(([backend, all]) => all
      .map(({ name }) => ({ source: `${backend}:${name}`, backend, name, description: '', unread: true }))
      .filter(({ source }) => !known.has(source)));
    return [...sources, ...unread];
  }

  #collection(backend, name) {
    return this.collections.get(backend)?.find(one => one.name === name) ?? null;
  }

  /** The names of a backend's tools; none as long as they are not known. */
  #tools(backend) {
    const tools = this.tools.get(backend);
    return tools instanceof Set ? tools : new Set();
  }

  async #askTools(backend, again = false) {
    const { id } = backend;
    if (this.tools.has(id) && !again) return;
    this.tools = new Map(this.tools).set(id, null);
    const tools = await toolsOf(backend).catch(error => error);
    if (typeOf(backend) === 'agentroot' && tools instanceof Set && tools.has('status')) await this.#askCollections(id);
    this.tools = new Map(this.tools).set(id, tools);
  }

  /** Without an answer the page shows those that can be searched. */
  async #askCollections(backend) {
    const { collections = [] } = await callIn(backend, 'status', {}).catch(() => ({}));
    this.collections = new Map(this.collections).set(backend, collections);
  }

  async #load() {
    const asked = [...this.collections.keys()].map(backend => this.#askCollections(backend));
    try {
      const { sources = [], unavailable = [] } = await call('list_sources', {});
      await Promise.all(asked);
      this.catalogue = { sources, unavailable, error: null, loading: false };
    } catch (error) {
      this.catalogue = { ...this.catalogue, error, loading: false };
    }
  }

  #heard(news) {
    if (news.length) this.news = news.join('. ');
    this.requestUpdate();
  }

  #openNew(event, backend) {
    event.preventDefault();
    const library = new FormData(event.target).get('library').trim();
    if (library) this.#go({ s: `${backend}:${library}` });
  }

  /** Links to this page stay in it, so that what runs goes on. */
  #clicked(event) {
    const url = linkWithin(event);
    if (url) this.#go(readState(url.search));
  }

  /** A new state: what `change` has; with `here` in it, the rest stays, and so does the place in the history. */
  async #go({ here = false, ...change }) {
    showInAddress(writeState(here ? { ...this.state, ...change } : change), here);
    await this.#moved();
  }

  async #moved() {
    const before = this.state;
    this.state = readState(location.search);
    if (before.s === this.state.s) return;
    await this.updateComplete;
    window.scrollTo(0, 0);
    this.querySelector('h1').focus({ preventScroll: true });
  }
}

/** What can be browsed; without an answer on health, a backend's id says it where it is that of the type. */
function typeOf({ id, type = id }) {
  return ['vectordb', 'agentroot'].includes(type) ? type : '';
}

customElements.define('sources-page', SourcesPage);
