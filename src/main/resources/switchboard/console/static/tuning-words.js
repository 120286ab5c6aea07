import { html, nothing } from 'lit';
import { counted, day, score, time } from './format.js';

/** A time with its day. */
export const when = iso => html`<time datetime=${iso}>${day(iso)}, ${time(iso)}</time>`;

/** A line about what was decided. */
export function decision({ decision: what, proposal, at, by }) {
  return html`<li class="anywhere"><code>${proposal}</code> ${what === 'undone' ? 'undone' : 'approved'} ${when(at)} by <bdi>${by}</bdi></li>`;
}

/**
 * The weights that differ from the configuration.
 *
 * @param {{sources: Record<string, number>, similarity?: number}} weights
 * @param {number} similarity the configured weight of the cosine
 */
export function inUse(weights, similarity) {
  return html`<ul class="gap-lines small">${Object.entries(weights.sources).map(([source, factor]) => html`<li><bdi>${source}</bdi> × ${score(factor)}</li>`)}
    <li>Weight of the cosine ${score(weights.similarity ?? similarity)}${weights.similarity === undefined ? ' (configured)' : nothing}</li></ul>`;
}

/**
 * What changes with a proposal.
 *
 * @param {{before: object, after: object, id: string}} proposal
 * @param {number} similarity the configured weight of the cosine
 */
export function weightTable({ id, before, after }, similarity) {
  const sources = [...new Set([...Object.keys(before.sources), ...Object.keys(after.sources)])].sort();
  return html`<div class="table-frame"><table class="usage-table">
    <caption class="unseen">Weights of proposal ${id}</caption>
    <thead><tr><th scope="col">Weight</th><th scope="col" class="amount">Before</th><th scope="col" class="amount">Proposed</th></tr></thead>
    <tbody>${sources.map(source => row(html`Factor of <bdi>${source}</bdi>`, before.sources[source] ?? 1, after.sources[source] ?? 1))}
      ${row('Weight of the cosine', before.similarity ?? similarity, after.similarity ?? similarity)}</tbody></table></div>`;
}

function row(name, before, after) {
  return html`<tr><td class="anywhere">${name}</td><td class="amount">${score(before)}</td><td class="amount">${before === after ? score(after) : html`<strong>${score(after)}</strong>`}</td></tr>`;
}

/** What was measured; what a file lacks is shown as unknown. */
export function figures({ training, held_back: held, difference, judged }) {
  return html`<dl class="tuning-figures">
    <div><dt>nDCG@10, queries held back</dt><dd>${change(held)}</dd></div>
    <div><dt>Difference, 95 % interval</dt><dd>${signed(difference?.mean)} [${signed(difference?.low)}, ${signed(difference?.high)}]${known(difference?.p) ? html` <span class="muted">p ${difference.p.toFixed(3)}</span>` : nothing}</dd></div>
    <div><dt>nDCG@10, queries it was fitted to</dt><dd>${change(training)}</dd></div>
    <div><dt>Made from</dt><dd>${known(judged?.judgments) && known(judged?.keys) ? `${counted(judged.judgments, 'judgment')} of ${counted(judged.keys, 'key')}` : 'not recorded'}</dd></div></dl>`;
}

/**
 * What came of a trial until now.
 *
 * @param {{searches: number, compared: number, keys: number, won: number, lost: number, tied: number, p: number, conclusion: string}} outcome
 */
export function trialFigures({ searches, compared, keys, won, lost, tied, p, conclusion }) {
  return html`<dl class="tuning-figures">
    <div><dt>Until now</dt><dd><strong>${conclusion}</strong></dd></div>
    <div><dt>Queries that the proposal has won</dt><dd>${won}</dd></div>
    <div><dt>Queries that what is in use has won</dt><dd>${lost} <span class="muted">sign test p ${p.toFixed(3)}</span></dd></div>
    <div><dt>Ties</dt><dd>${tied}</dd></div>
    <div><dt>Searches that were mixed</dt><dd>${searches} <span class="muted">${compared} compared, of ${counted(keys, 'key')}</span></dd></div></dl>`;
}

function change(measured) {
  return html`${part(measured?.before)} → <strong>${part(measured?.after)}</strong>${known(measured?.queries) ? html` <span class="muted">${measured.queries === 1 ? '1 query' : `${measured.queries} queries`}</span>` : nothing}`;
}

const known = value => typeof value === 'number' && Number.isFinite(value);

const part = value => (known(value) ? value.toFixed(4) : 'unknown');

const signed = value => (known(value) ? `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}` : 'unknown');
