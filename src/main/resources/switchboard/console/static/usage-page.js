import { LitElement, html, nothing } from 'lit';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { compact, counted, number } from './format.js';
import { Listing } from './listing.js';
import { showInAddress } from './page-links.js';
import { UNITS, question, readState, writeState } from './usage-state.js';
import { time, usageTable } from './usage-table.js';
import { WindowEvents } from './window-events.js';
import './plot.js';

const SIGHTS = {
  all: 'Calls of all teams',
  team: 'Calls of your team',
  backends: 'Calls of your team, and those to backends that you look after',
};
const CALLS = [{ label: 'Calls', kind: 'bars', format: compact }, { label: 'Of these without success', kind: 'bars', look: 'bad', format: compact }];
const TOKENS = [{ label: 'Tokens', kind: 'bars', look: 'good', format: compact }];
const LATENCIES = [{ label: 'p95', look: 'warn', format: time }, { label: 'p50', look: 'accent', format: time }];
const SINCE = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** The page of what was called: its state is that of the URL. */
class UsagePage extends LitElement {
  static properties = { state: { state: true } };

  #usage = new Listing(this);
  #plotted = { calls: [[]], tokens: [[]], latencies: [[]] };

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
    document.title = 'Usage · Switchboard';
    this.#load();
  }

  render() {
    const { value, error, busy } = this.#usage;
    return html`<main id="main" class="live usage" aria-busy=${busy}>
      <div class="page-head usage-head"><h1 tabindex="-1">Usage</h1>
        <p class="muted">${value ? `${SIGHTS[value.sees]}${where(value)}` : 'Asking what there is …'}</p></div>
      ${this.#choices()}
      ${error ? errorNote(error, () => this.#load()) : nothing}
      ${value?.missing ? this.#missing() : nothing}
      ${value ? this.#content(value) : nothing}
    </main>`;
  }

  #choices() {
    const { by, last, team, tool } = this.state;
    const { teams = [], tools = [], sees } = this.#usage.value ?? {};
    return html`<form class="live-filters" aria-label="What is shown" @submit=${e => e.preventDefault()}>
      <div class="units" role="group" aria-label="Shown by">${Object.entries(UNITS).map(([unit, { name, lasts }]) => html`
        <button type="button" class="quiet" aria-pressed=${unit === by} @click=${() => this.#go({ by: unit, last: lasts[0][0] })}>${name}</button>`)}</div>
      <div class="field"><label for="usage-last">Time</label>
        <select id="usage-last" @change=${e => this.#go({ last: Number(e.target.value) })}>${[...UNITS[by].lasts].sort(([a], [b]) => a - b).map(([count, name]) => html`
          <option value=${count} .selected=${count === last}>Last ${name}</option>`)}</select></div>
      ${sees === 'team' && !team ? nothing : this.#choice('team', 'Team', team, teams, 'All teams')}
      ${this.#choice('tool', 'Tool', tool, tools, 'All tools')}
      <a class="button csv" href=${`api/v1/usage.csv${question(this.state)}`} download>Download CSV</a>
    </form>`;
  }

  #choice(name, label, value, values, all) {
    const named = [...new Set([...values.filter(Boolean), ...(value ? [value] : [])])].sort();
    return html`<div class="field"><label for=${`usage-${name}`}>${label}</label>
      <select id=${`usage-${name}`} @change=${e => this.#go({ [name]: e.target.value })}>
        <option value="" .selected=${!value}>${all}</option>
        ${named.map(one => html`<option value=${one} .selected=${one === value}>${one}</option>`)}</select></div>`;
  }

  #content(value) {
    if (!value.total.calls) return this.#nothing();
    return html`${figures(value.total)}
      ${this.#plots(value)}
      <section class="usage-part" aria-labelledby="rows-title"><h2 id="rows-title">By team and tool</h2>
        ${usageTable(value.rows, this.state, change => this.#go(change))}
        ${value.omitted ? html`<p class="small muted">${counted(value.omitted, 'more row')} with fewer calls: the CSV has all.</p>` : nothing}
        ${notes(value)}</section>`;
  }

  #plots(value) {
    const x = value.by === 'hour' ? 'time' : 'day';
    const word = { hour: 'by hour', day: 'by day', week: 'by week' }[value.by];
    const { calls, tokens, latencies } = this.#plotted;
    return html`<div class="usage-plots">
      ${plot('calls', 'Calls', calls, CALLS, x, `Calls ${word}: ${number(value.total.calls)} in all, ${number(value.total.calls - value.total.ok)} of them without success`)}
      ${plot('latencies', 'Latency', latencies, LATENCIES, x, `Latency ${word}: half of all calls took at most ${time(value.total.p50_ms)}, 95 of 100 at most ${time(value.total.p95_ms)}`)}
      ${plot('tokens', 'Tokens of answers', tokens, TOKENS, x, `Tokens of answers ${word}: about ${number(value.total.tokens)} in all`)}
    </div>`;
  }

  #missing() {
    return html`<div class="error-note" role="status"><p class="error-title">The other gateways are missing</p>
      <p>The cluster’s database can’t be reached. These are the calls that this gateway has counted since its start; once the database is back, all are here.</p>
      <button type="button" @click=${() => this.#load()}>Try again</button></div>`;
  }

  #nothing() {
    const { team, tool } = this.state;
    if (team || tool) return html`<div class="nothing"><p class="nothing-title">No such calls</p><p>None was counted in this time. <button type="button" class="link" @click=${() => this.#go({ team: '', tool: '' })}>Show those of all teams and tools</button></p></div>`;
    return html`<div class="nothing"><p class="nothing-title">No calls in this time</p>
      <p>A call is counted when it is over. Connect an agent with <code>./switchboard connect</code>, or call a tool on the page <a href="tools">Tools</a>. Then look again.</p>
      <p><button type="button" @click=${() => this.#load()}>Look again</button></p></div>`;
  }

  async #load() {
    const value = await this.#usage.load(() => sendJson('GET', `api/v1/usage${question(this.state)}`));
    if (!value) return;
    const times = value.times.map(one => Date.parse(one.time) / 1000);
    const of = pick => value.times.map(pick);
    this.#plotted = {
      calls: [times, of(one => one.calls), of(one => one.calls - one.ok)],
      tokens: [times, of(one => one.tokens)],
      latencies: [times, of(one => one.p95_ms), of(one => one.p50_ms)],
    };
    this.requestUpdate();
  }

  #go(change) {
    const state = { ...this.state, ...change };
    showInAddress(writeState(state), 'sort' in change);
    this.#moved(state);
  }

  /** The order of the rows needs no other answer. */
  #moved(state) {
    const same = ['by', 'last', 'team', 'tool'].every(name => state[name] === this.state[name]);
    this.state = state;
    if (!same) this.#load();
  }
}

function where({ clustered, missing }) {
  if (missing) return ', at this gateway only';
  return clustered ? ', at all gateways of the cluster; those at others are here after ten seconds' : '';
}

function figures({ calls, tool_error: errors, refused, failed, tokens, p50_ms: p50, p95_ms: p95, p99_ms: p99 }) {
  const shown = { Calls: number(calls), 'Tool errors': number(errors), Refused: number(refused), Failed: number(failed), Tokens: compact(tokens), p50: time(p50), p95: time(p95), p99: time(p99) };
  return html`<dl class="figures live-figures usage-figures">${Object.entries(shown).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function plot(id, title, data, series, x, label) {
  return html`<section class="usage-part" aria-labelledby=${`${id}-title`}><h2 id=${`${id}-title`}>${title}</h2>
    <console-plot .data=${data} .series=${series} .x=${x} .label=${label} height="180" sync="usage"></console-plot></section>`;
}

function notes({ by, since, rows }) {
  return html`<ul class="small muted usage-notes">
    <li>Tokens are an estimate: four bytes of an answer count as one. Latencies are read from a histogram; refused calls have none.</li>
    <li>${by === 'hour' ? 'Hours are in your time zone.' : 'Days and weeks begin at 0:00 UTC, weeks on Monday.'}${since ? ` Calls are known since ${SINCE.format(new Date(since))}.` : ''}</li>
    ${rows.some(row => row.other) ? html`<li>There were too many tools to count each one: “other tools” has the rest.</li>` : nothing}
  </ul>`;
}

customElements.define('usage-page', UsagePage);
