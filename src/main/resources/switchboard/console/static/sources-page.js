import { LitElement, html, nothing } from 'lit';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { counted, day, duration, number } from './format.js';
import { call } from './mcp.js';
import { sparkline } from './sparkline.js';

const PAUSE_MS = 5000;

/** How many polls the sparklines show. */
const KEPT = 60;

const STATES = { up: 'works', degraded: 'works in part', down: 'down', off: 'switched off' };

/** The backends with their health, and what can be searched in each. */
class SourcesPage extends LitElement {
  static properties = { backends: { state: true }, catalogue: { state: true }, error: { state: true } };

  /** By backend, the last numbers: `{at, calls, seconds}`. */
  #history = new Map();
  #timer;
  #shown = () => this.#poll();

  constructor() {
    super();
    this.backends = null;
    this.catalogue = null;
    this.error = null;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#shown);
    this.#load();
    this.#poll();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#shown);
    clearTimeout(this.#timer);
  }

  updated() {
    document.title = 'Sources · Switchboard';
  }

  render() {
    return html`<main id="main" class="sources">
      <h1>Sources</h1>
      <p class="lead" role="status">${this.#summary()}</p>
      ${this.error ? errorNote(this.error, () => this.#load()) : nothing}
      ${this.#all().map(backend => this.#backend(backend))}
    </main>`;
  }

  #summary() {
    if (!this.backends || !this.catalogue) return this.error ? '' : 'Asking what is there …';
    const down = this.backends.filter(backend => backend.status === 'down' || backend.status === 'degraded');
    const health = down.length ? `${down.map(backend => backend.id).join(', ')} ${down.length === 1 ? 'has' : 'have'} a problem` : 'all of them work';
    return `${counted(this.catalogue.sources.length, 'source')} of ${counted(this.backends.length, 'backend')}: ${health}.`;
  }

  /** The backends, and those that only have sources. */
  #all() {
    const known = this.backends ?? [];
    const ids = new Set(known.map(backend => backend.id));
    const others = [...new Set((this.catalogue?.sources ?? []).map(source => source.backend))].filter(id => !ids.has(id));
    return [...known, ...others.map(id => ({ id }))];
  }

  #backend(backend) {
    const sources = (this.catalogue?.sources ?? []).filter(source => source.backend === backend.id);
    const silent = (this.catalogue?.unavailable ?? []).filter(state => state.source === backend.id);
    return html`<section class="backend" aria-labelledby="backend-${backend.id}">
      <header><h2 id="backend-${backend.id}">${backend.id}</h2>
        ${backend.type && backend.type !== backend.id ? html`<span class="muted small">${backend.type}</span>` : nothing}
        ${backend.status ? html`<span class="health ${backend.status}"><span class="dot" aria-hidden="true"></span>${STATES[backend.status] ?? backend.status}</span>` : nothing}
        ${backend.detail && backend.detail !== backend.status ? html`<span class="muted small" dir="auto">${backend.detail}</span>` : nothing}
      </header>
      ${backend.calls === undefined ? nothing : this.#numbers(backend)}
      ${sources.length ? html`<ul class="source-list">${sources.map(source => this.#source(source))}</ul>` : nothing}
      ${silent.map(state => html`<p class="small unavailable">Its sources can’t be listed: ${state.detail || state.status}</p>`)}
    </section>`;
  }

  #numbers(backend) {
    const means = this.#means(backend.id);
    const latest = means.findLast(mean => mean !== null);
    return html`<dl class="numbers-row">
      <div><dt>tools</dt><dd>${number(backend.tools)}</dd></div>
      <div><dt>calls</dt><dd>${number(backend.calls)}</dd></div>
      <div><dt>failed</dt><dd>${number(backend.failed)}</dd></div>
      <div><dt>under way</dt><dd>${number(backend.in_flight)} of ${number(backend.limit)}</dd></div>
      <div><dt>waiting</dt><dd>${number(backend.waiting)}</dd></div>
      <div><dt>mean time</dt><dd>${backend.calls ? duration((1000 * backend.seconds) / backend.calls) : '–'}${latest === undefined ? nothing : html` <span class="muted">now ${duration(latest)}</span>`} ${sparkline(means)}</dd></div>
    </dl>`;
  }

  /** The mean time of a call between each two polls in ms; null where there was no call. */
  #means(id) {
    const polls = this.#history.get(id) ?? [];
    return polls.slice(1).map((poll, i) => {
      const calls = poll.calls - polls[i].calls;
      return calls > 0 ? (1000 * (poll.seconds - polls[i].seconds)) / calls : null;
    });
  }

  #source(source) {
    const facts = [
      source.documents === undefined ? '' : counted(source.documents, 'document'),
      source.updated ? `changed ${day(source.updated)}` : '',
      source.searched_by?.length ? `by ${source.searched_by.join(' and ')}` : '',
    ].filter(Boolean);
    return html`<li><div><strong dir="auto">${source.name}</strong>
        ${source.description ? html`<p class="small muted" dir="auto">${source.description}</p>` : nothing}
        <p class="small muted">${facts.join(' · ')}</p>
        ${source.filter_fields?.length ? html`<details><summary class="small">${counted(source.filter_fields.length, 'field')} to filter by</summary>
          <p class="small">${source.filter_fields.map((field, i) => html`${i ? ', ' : nothing}<code>${field.name}</code>`)}</p></details>` : nothing}</div>
      <a class="button" href="search?${new URLSearchParams({ s: source.source })}">Search here<span class="unseen">: ${source.name}</span></a></li>`;
  }

  async #load() {
    this.error = null;
    try {
      const { sources = [], unavailable = [] } = await call('list_sources', {});
      this.catalogue = { sources, unavailable };
    } catch (e) {
      this.error = e;
    }
  }

  /** Reads the backends now and every few seconds, while somebody sees the page. */
  async #poll() {
    clearTimeout(this.#timer);
    if (document.visibilityState === 'hidden') return;
    try {
      const { backends = [] } = await sendJson('GET', 'api/v1/backends');
      backends.forEach(backend => this.#remember(backend));
      this.backends = backends;
    } catch (e) {
      this.error = e;
    }
    if (this.isConnected) this.#timer = setTimeout(() => this.#poll(), PAUSE_MS);
  }

  #remember({ id, calls, seconds }) {
    if (calls === undefined) return;
    const polls = [...(this.#history.get(id) ?? []), { calls, seconds }];
    this.#history.set(id, polls.slice(-KEPT - 1));
  }
}

customElements.define('sources-page', SourcesPage);
