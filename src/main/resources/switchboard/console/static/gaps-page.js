import { LitElement, html, nothing } from 'lit';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { counted, duration, number, score, utcDay } from './format.js';
import { SPANS, question, readRelevance, readState, writeState } from './gaps-state.js';
import { Listing } from './listing.js';
import { call } from './mcp.js';
import { showInAddress } from './page-links.js';
import { WindowEvents } from './window-events.js';

/** The page of what searches did not find, for operators: its state is that of the URL. */
class GapsPage extends LitElement {
  static properties = { state: { state: true } };

  #report = new Listing(this);
  #teams = new Listing(this);

  constructor() {
    super();
    new WindowEvents(this, { popstate: () => this.#moved(readState(location.search)) });
    this.state = readState(location.search);
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Gaps · Switchboard';
    this.#teams.load(() => sendJson('GET', 'api/v1/teams'));
    this.#load();
  }

  render() {
    const { value, error, busy } = this.#report;
    return html`<main id="main" class="live gaps" aria-busy=${busy || this.#teams.busy}>
      <div class="page-head"><h1 tabindex="-1">Gaps</h1>
        <p class="muted" role="status">${busy ? 'Looking at the searches …' : value ? summary(value) : ''}</p></div>
      ${this.#choices()}
      ${error ? errorNote(error, () => this.#load()) : nothing}
      ${value ? content(value) : nothing}
    </main>`;
  }

  #choices() {
    const { team, days, relevance } = this.state;
    const teams = this.#teams.value?.teams.map(one => one.name) ?? [];
    const names = [...new Set([...teams, ...(team ? [team] : [])])].sort();
    return html`<form class="live-filters" aria-label="Which searches" @submit=${e => e.preventDefault()}>
      ${names.length ? html`<div class="field"><label for="gaps-team">Team</label>
        <select id="gaps-team" @change=${e => this.#go({ team: e.target.value })}>
          <option value="" .selected=${!team}>All teams</option>
          ${names.map(name => html`<option value=${name} .selected=${name === team}>${name}</option>`)}</select></div>` : nothing}
      <div class="field"><label for="gaps-days">Time</label>
        <select id="gaps-days" @change=${e => this.#go({ days: Number(e.target.value) })}>${SPANS.map(span => html`
          <option value=${span} .selected=${span === days}>Last ${span} days</option>`)}</select></div>
      <div class="field"><label for="gaps-relevance">Lowest relevance of an answer</label>
        <input id="gaps-relevance" type="number" min="0" max="1" step="0.05" .value=${String(relevance)} @change=${e => this.#go({ relevance: readRelevance(e.target.value) })}></div>
    </form>`;
  }

  #load() {
    return this.#report.load(() => call('search_gaps', question(this.state)));
  }

  #go(change) {
    const state = { ...this.state, ...change };
    showInAddress(writeState(state), false);
    this.#moved(state);
  }

  #moved(state) {
    this.state = state;
    this.#load();
  }
}

function summary({ searches, unanswered }) {
  return searches
    ? `${number(unanswered)} of ${number(searches)} ${searches === 1 ? 'search' : 'searches'} gave nothing relevant, and led to nothing that was read.`
    : 'No search was logged in this time.';
}

function content(report) {
  const { note, without_text: hidden, groups, silent_sources: silent, never_found: never, slow_questions: slow } = report;
  return html`
    ${note ? html`<p class="read-only">${note}</p>` : nothing}
    ${part('open', 'Without an answer', groups.length || hidden, html`
      ${hidden ? html`<p class="small muted">${number(hidden)} of these are in no group, because the text of their queries is not kept.</p>` : nothing}
      <ol class="gap-list">${groups.map(group)}</ol>`)}
    ${part('silent', 'Sources without a part in any answer', silent.length, html`<ul class="gap-lines">${silent.map(({ source, asked, failed }) => html`
      <li><strong>${source}</strong> <span class="muted">asked ${number(asked)} times${failed ? `, failed ${number(failed)} times` : ''}</span></li>`)}</ul>`)}
    ${part('never', 'Documents that were never found', never.length, html`
      <ul class="gap-list">${never.map(neverFound)}</ul>`)}
    ${part('slow', 'Slowest searches', slow.length, html`<ul class="gap-lines">${slow.map(one => html`
      <li>${one.question ? link(one.question) : html`<span class="muted">text not kept</span>`} <span class="muted">${duration(one.ms)}${one.slowest_source ? `, of which ${one.slowest_source} ${duration(one.source_ms)}` : ''}</span></li>`)}</ul>`)}`;
}

function part(id, title, any, inner) {
  return any ? html`<section class="gap-part" aria-labelledby=${`${id}-title`}><h2 id=${`${id}-title`}>${title}</h2>${inner}</section>` : nothing;
}

function neverFound({ source, documents, never_found: count, examples }) {
  return html`<li class="gap">
    <h3>${source} <span class="gap-count">${number(count)} of ${number(documents)}</span></h3>
    <ul class="gap-lines">${examples.map(({ title }) => html`<li>${link(title)}</li>`)}</ul>
    ${count > examples.length ? html`<p class="small muted">And ${number(count - examples.length)} more.</p>` : nothing}
  </li>`;
}

function group({ words, count, questions, sources, weeks, best_relevance: best }) {
  return html`<li class="gap">
    <h3><bdi>${words.join(', ') || questions[0]}</bdi> <span class="gap-count">asked ${count === 1 ? 'once' : `${number(count)} times`}</span></h3>
    <ul class="gap-lines">${questions.map(question => html`<li>${link(question)}</li>`)}</ul>
    <p class="small muted">${best === undefined ? 'No hit' : `Best relevance ${score(best)}`}${sources.length ? ` in ${sources.join(', ')}` : ''}.
      ${Object.entries(weeks).map(([week, times]) => `Week of ${utcDay(week)}: ${number(times)}`).join('; ')}.</p>
  </li>`;
}

/** A question or a title, which leads to its search. */
function link(question) {
  return html`<a dir="auto" href=${`search?${new URLSearchParams({ q: question })}`}>${question}</a>`;
}

customElements.define('gaps-page', GapsPage);
