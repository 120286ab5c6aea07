import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { counted, number, size } from './format.js';
import { LiveCalls, MOST, insert } from './live-calls.js';
import { callMs, callTime } from './live-format.js';
import { ORDERS, readState, wanted, writeState } from './live-state.js';
import { WindowEvents } from './window-events.js';
import './call-detail.js';

const STATES = {
  connecting: ['partial', 'connecting'],
  live: ['ok', 'live'],
  reconnecting: ['partial', 'reconnecting'],
  over: ['error', 'over'],
};
const NAMES = { newest: 'Newest first', slowest: 'Slowest first' };
const SIGHTS = {
  all: 'Calls of all teams',
  team: 'Calls of your team',
  backends: 'Calls of your team, and those to backends that you look after',
};
const SECOND_MS = 1000;

/** The page of calls as they happen: its filters are those of the URL. */
class LivePage extends LitElement {
  static properties = { state: { state: true }, opened: { state: true }, paused: { state: true }, news: { state: true } };

  #live = new LiveCalls(() => this.requestUpdate(), call => this.#arrived(call));
  /** Calls that the filters want, the newest one first. */
  #shown = [];
  /** What is shown while the list stands still. */
  #still = null;
  #meanwhile = 0;
  #timer = 0;
  #said = '';

  constructor() {
    super();
    new WindowEvents(this, { popstate: () => this.#filtered(readState(location.search)) });
    this.state = readState(location.search);
    this.opened = null;
    this.paused = false;
    this.news = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Live · Switchboard';
    this.#timer = setInterval(() => this.requestUpdate(), SECOND_MS); // rates change when nothing comes, too
    this.#live.start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#live.stop();
  }

  /** Only the state of the connection is said aloud: calls would never end. */
  willUpdate() {
    const { state } = this.#live;
    if (state !== this.#said && state !== 'connecting') {
      this.news = `The connection is ${STATES[state][1]}`;
      this.#said = state;
    }
  }

  render() {
    return html`<main id="main" class="live" @close-call=${() => this.#open(null)}>
      <p class="unseen" role="status">${this.news}</p>
      <div class="page-head live-head"><h1 tabindex="-1">Live</h1>${this.#connection()}
        <p class="muted">${SIGHTS[this.#live.sees] ?? 'Connecting …'}${this.#live.clustered ? ', at all gateways' : ''}</p></div>
      ${this.#live.missing ? html`<p class="small field-error gateways-missing" role="status">The calls of some gateways can’t be shown now.</p>` : nothing}
      ${this.#live.error ? html`<p class="small field-error" role="alert">${this.#live.error}</p>` : nothing}
      ${this.#figures()}
      ${this.#filters()}
      ${this.#table()}
      ${this.opened ? html`<call-detail .call=${this.opened}></call-detail>` : nothing}
    </main>`;
  }

  #connection() {
    const [look, word] = STATES[this.#live.state];
    return html`<span class="chip ${look} connection"><span class="dot" aria-hidden="true"></span><span class="chip-state">${word}</span></span>`;
  }

  #figures() {
    const { rate, missed } = this.#live;
    const now = this.#live.now();
    return html`<dl class="figures live-figures">
      <div><dt>Calls per second</dt><dd class="rate">${rate.perSecond(now).toFixed(1)}</dd></div>
      <div><dt>Failures in the last minute</dt><dd class="failures">${number(rate.failures(now))}</dd></div>
      ${missed.calls || missed.more ? html`<div><dt>Not shown, because there were too many</dt><dd class="missed">${missed.calls ? `${number(missed.calls)}${missed.more ? ' or more' : ''}` : 'some'}</dd></div>` : nothing}
    </dl>`;
  }

  #filters() {
    const { team, gateway, tool, outcome, slower, order } = this.state;
    return html`<form class="live-filters" aria-label="Filters" @submit=${e => e.preventDefault()}>
      ${this.#live.sees === 'team' ? nothing : this.#choice('team', 'Team', team, this.#values('team', team), 'All teams')}
      ${this.#live.clustered ? this.#choice('gateway', 'Gateway', gateway, this.#values('gateway', gateway), 'All gateways') : nothing}
      <div class="field"><label for="live-tool">Tool</label>
        <input id="live-tool" type="search" autocomplete="off" spellcheck="false" placeholder="Part of its name" .value=${tool} @input=${e => this.#go({ tool: e.target.value.trim() })}></div>
      ${this.#choice('outcome', 'Outcome', outcome, [...new Set(['ok', 'failed', ...this.#values('outcome', outcome)])], 'All outcomes')}
      <div class="field"><label for="live-slower">Slower than, ms</label>
        <input id="live-slower" type="number" min="0" step="any" inputmode="decimal" .value=${slower ? String(slower) : ''} @input=${e => this.#go({ slower: Math.max(0, Number(e.target.value) || 0) })}></div>
      <div class="field"><label for="live-order">Order</label>
        <select id="live-order" @change=${e => this.#go({ order: e.target.value })}>${ORDERS.map(one => html`<option value=${one} .selected=${one === order}>${NAMES[one]}</option>`)}</select></div>
      <button type="button" class="pause" aria-pressed=${this.paused} @click=${this.#pause}>${this.paused ? 'Resume' : 'Pause'}</button>
      ${this.paused ? html`<span class="small muted meanwhile">${counted(this.#meanwhile, 'call')} meanwhile</span>` : nothing}
    </form>`;
  }

  #choice(name, label, value, values, all) {
    return html`<div class="field"><label for=${`live-${name}`}>${label}</label>
      <select id=${`live-${name}`} @change=${e => this.#go({ [name]: e.target.value })}>
        <option value="" .selected=${!value}>${all}</option>
        ${values.map(one => html`<option value=${one} .selected=${one === value}>${one}</option>`)}</select></div>`;
  }

  #values(name, chosen) {
    const values = new Set(this.#live.calls.map(call => call[name]).filter(Boolean));
    if (chosen) values.add(chosen);
    return [...values].sort();
  }

  #table() {
    const calls = this.#ordered(this.#still ?? this.#shown);
    if (!calls.length) return this.#nothing();
    const teams = this.#live.sees !== 'team';
    const { clustered } = this.#live;
    return html`<div class="table-frame"><table class="calls" aria-live="off">
      <caption class="unseen">Calls, ${NAMES[this.state.order].toLowerCase()}</caption>
      <thead><tr><th scope="col">Time</th>${teams ? html`<th scope="col" class="wide">Team</th>` : nothing}<th scope="col">Tool</th><th scope="col" class="wide">Backend</th>${clustered ? html`<th scope="col" class="wide">Gateway</th>` : nothing}
        <th scope="col">Outcome</th><th scope="col" class="amount">Took</th><th scope="col" class="amount wide">Queue</th><th scope="col" class="amount wide">Size</th></tr></thead>
      <tbody>${repeat(calls, call => call.request, call => html`<tr data-request=${call.request} @click=${() => this.#open(call)}>
        <td class="time">${callTime(call.time)}</td>
        ${teams ? html`<td class="team wide"><bdi>${call.team}</bdi></td>` : nothing}
        <td class="tool"><button type="button" class="link" aria-haspopup="dialog"><bdi>${call.tool || call.method || 'not read'}</bdi></button>${teams ? html`<span class="narrow small muted"><bdi>${call.team}</bdi></span>` : nothing}</td>
        <td class="wide"><bdi>${call.backend}</bdi></td>
        ${clustered ? html`<td class="gateway wide"><bdi>${call.gateway}</bdi></td>` : nothing}
        <td class=${call.outcome === 'ok' ? 'outcome' : 'outcome bad'}>${call.outcome}${call.calls > 1 ? ` × ${call.calls}` : ''}</td>
        <td class="amount">${callMs(call.ms)}</td><td class="amount wide">${callMs(call.queue_ms)}</td><td class="amount wide">${size(call.bytes)}</td></tr>`)}</tbody>
    </table></div>`;
  }

  #nothing() {
    const { team, gateway, tool, outcome, slower } = this.state;
    const filtered = team || gateway || tool || outcome || slower;
    return html`<div class="nothing"><p class="nothing-title">${filtered ? 'No such calls' : 'No calls yet'}</p>
      <p>${filtered ? 'None of those that are here is one that you look for.' : 'A call appears here when it is over.'}</p></div>`;
  }

  #ordered(calls) {
    return this.state.order === 'slowest' ? [...calls].sort((a, b) => b.ms - a.ms) : calls;
  }

  #arrived(call) {
    if (!wanted(call, this.state)) return;
    insert(this.#shown, call);
    if (this.#shown.length > MOST) this.#shown.pop();
    if (this.paused) this.#meanwhile++;
  }

  #pause() {
    this.paused = !this.paused;
    this.#still = this.paused ? [...this.#shown] : null;
    this.news = this.paused ? 'The list stands still' : `The list goes on, with ${counted(this.#meanwhile, 'more call')}`;
    this.#meanwhile = 0;
  }

  async #open(call) {
    const from = this.opened;
    this.opened = call;
    if (call || !from) return;
    await this.updateComplete;
    const row = this.querySelector(`tr[data-request="${CSS.escape(from.request)}"] button`);
    (row ?? this.querySelector('h1')).focus({ preventScroll: true });
  }

  #go(change) {
    const state = { ...this.state, ...change };
    history.replaceState(history.state, '', `${location.pathname}${writeState(state)}`);
    this.#filtered(state);
  }

  #filtered(state) {
    this.state = state;
    this.#shown = this.#live.calls.filter(call => wanted(call, state));
    if (this.#still) this.#still = [...this.#shown];
  }
}

customElements.define('live-page', LivePage);
