import { html, nothing } from 'lit';
import { counted, duration } from './format.js';

/** More chips than this fold up once all sources have answered. */
const MANY = 12;
/** The same on a phone. */
const FEW = 3;
const NARROW = matchMedia('(max-width: 40rem)');

const WORDS = { waiting: 'waiting', ok: 'ok', partial: 'in part', timeout: 'late', denied: 'refused', error: 'failed' };
const ORDER = ['error', 'denied', 'timeout', 'partial', 'waiting', 'ok'];

/**
 * The state of each source of a search: waiting, ok with time and hits, late, refused, failed.
 *
 * @param {import('./search-run.js').SearchRun} run
 * @param {string} name of the configuration, if two are compared
 */
export function sourceStates(run, name) {
  const troubled = run.states.filter(state => state.detail);
  return html`<section class="states" aria-label=${name ? `Sources of ${name}` : 'Sources of this search'}>
    ${run.running
      ? html`<progress aria-label="Sources that have answered" max=${run.progress.total || 1} .value=${run.progress.done}></progress>`
      : html`<div class="progress-place"></div>`}
    ${!run.running && run.states.length > (NARROW.matches ? FEW : MANY) ? folded(run.states) : chips(run.states, run.running)}
    ${troubled.length ? html`<details class="troubles"><summary>${counted(troubled.length, 'source')} with a remark</summary>
      <dl>${troubled.map(state => html`<div><dt class=${state.status}>${state.source} <span>${WORDS[state.status] ?? state.status}</span></dt><dd>${state.detail}</dd></div>`)}</dl></details>` : nothing}
  </section>`;
}

/**
 * One sentence on a search, for the status line and for screen readers.
 *
 * @param {import('./search-run.js').SearchRun} run
 * @returns {string}
 */
export function summaryOf(run) {
  if (run.running) return run.progress.total ? `${run.progress.done} of ${counted(run.progress.total, 'source')} answered` : 'Searching …';
  if (run.error) return 'The search failed';
  if (!run.result) return 'Stopped';
  const slowest = Math.max(0, ...run.states.map(state => state.ms ?? 0));
  const answered = run.states.filter(state => state.status === 'ok' || state.status === 'partial').length;
  const from = answered === run.states.length ? counted(answered, 'source') : `${answered} of ${counted(run.states.length, 'source')}`;
  return `${counted(run.result.results.length, 'hit')} from ${from} in ${duration(slowest)}`;
}

function folded(states) {
  const worst = states.filter(state => state.status !== 'ok');
  const fine = states.filter(state => state.status === 'ok');
  return html`${chips(worst)}<details class="more-states"><summary>${counted(fine.length, 'source')} ok</summary>${chips(fine)}</details>`;
}

/** While they wait they stay where they are; then those that people have to look at come first. */
function chips(states, running = false) {
  const sorted = running ? states : [...states].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return html`<ul class="chips">${sorted.map(chip)}</ul>`;
}

function chip(state) {
  return html`<li class="chip ${WORDS[state.status] ? state.status : 'error'}" title=${state.detail ?? nothing}>
    <span class="dot" aria-hidden="true"></span><span class="chip-name">${state.source}</span>
    <span class="chip-state">${describe(state)}</span></li>`;
}

function describe({ status, ms, hits }) {
  const parts = status === 'ok' && ms !== undefined ? [] : [WORDS[status] ?? status];
  if (ms !== undefined) parts.push(duration(ms));
  if (hits !== undefined && (status === 'ok' || status === 'partial')) parts.push(counted(hits, 'hit'));
  return parts.join(' · ');
}
