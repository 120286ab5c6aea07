import { LitElement, html, nothing } from 'lit';
import { SHOWN, searchFor } from './evaluate-state.js';
import { measure, percent, signed, verdictOf, warningOf } from './evaluation-words.js';
import { duration, number } from './format.js';
import './plot.js';

const FIRST = 100;
const MEASURES = [
  ['ndcg_at_10', 'nDCG@10', measure],
  ['recall_at_10', 'Recall@10', measure],
  ['recall_at_100', 'Recall@100', measure],
  ['mrr_at_10', 'MRR@10', measure],
  ['answered', 'Answered', percent],
  ['p50_ms', 'Median time', duration],
];
const NAMES = { all: 'All', better: 'Better in B', worse: 'Better in A', same: 'The same', unjudged: 'Without judged hits', failed: 'Failed' };
const SERIES = [
  { label: 'Better in B', kind: 'bars', look: 'accent', format: signed },
  { label: 'Better in A', kind: 'bars', look: 'warn', format: signed },
];

/** The figures of an evaluation that is done. Sends `show-queries` with which ones the table is to show. */
class EvaluationResult extends LitElement {
  static properties = { run: {}, show: {}, all: { state: true } };

  constructor() {
    super();
    this.run = null;
    this.show = SHOWN[0];
    this.all = false;
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (changed.has('run')) {
      this.rows = rowsOf(this.run);
      this.plotted = plotted(this.rows);
    }
    if (changed.has('run') || changed.has('show')) this.all = false;
  }

  render() {
    const { difference, queries } = this.run.figures;
    const warning = warningOf(queries);
    return html`
      ${difference ? this.#verdict(verdictOf(difference)) : nothing}
      ${warning ? html`<p class="small muted">${warning}</p>` : nothing}
      ${this.#figures()}
      ${this.#doubts()}
      ${this.rows.some(row => row.difference) ? this.#plot() : nothing}
      ${this.#queries()}`;
  }

  #verdict({ kind, text }) {
    return html`<p class="evaluation-verdict ${kind}"><strong>${text}</strong> <span class="muted small">Measured in nDCG@10, query by query.</span></p>`;
  }

  #figures() {
    const { configurations } = this.run.figures;
    const shown = MEASURES.filter(([name]) => name !== 'recall_at_100' || configurations.some(one => one.recall_at_100 !== one.recall_at_10));
    return html`<div class="table-frame measures-frame" tabindex="0" role="group" aria-label="Measures"><table class="measures">
      <caption class="unseen">Measures of each configuration</caption>
      <thead><tr><th scope="col"><span class="unseen">Configuration</span></th>${shown.map(([, title]) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${configurations.map(one => html`<tr><th scope="row">${configurations.length > 1 ? letter(one.name) : 'All queries'}</th>${shown.map(([name, , format]) => html`<td class=${name}>${format(one[name])}</td>`)}</tr>`)}</tbody>
    </table></div>`;
  }

  /** What may make the figures wrong. */
  #doubts() {
    const { configurations } = this.run.figures;
    const of = (one, text) => html`<li>${configurations.length > 1 ? `${one.name}: ` : ''}${text}</li>`;
    const unjudged = configurations.map((_, i) => this.rows.filter(row => !row.values[i].judged && !row.values[i].failed).length);
    const doubts = configurations.flatMap((one, i) => [
      one.failed ? of(one, `${number(one.failed)} searches failed, and count as without hits.`) : null,
      one.incomplete ? of(one, `In ${number(one.incomplete)} searches a source failed or was late.`) : null,
      unjudged[i] ? of(one, `${number(unjudged[i])} queries gave no hit that is judged. Judge some, or the figures say nothing of them.`) : null,
    ]).filter(Boolean);
    return doubts.length ? html`<ul class="doubts small">${doubts}</ul>` : nothing;
  }

  #plot() {
    const counts = this.#counts();
    return html`<section class="evaluation-plot" aria-labelledby="plot-title">
      <h2 id="plot-title">Query by query</h2>
      <p class="muted small">${number(counts.better)} better in B, ${number(counts.worse)} better in A, ${number(counts.same)} the same</p>
      <console-plot .data=${this.plotted} .series=${SERIES} x="number" xLabel="Query" .xFormat=${place => this.rows[place - 1]?.query ?? ''} height="220"
        label="nDCG@10 of B less that of A, for each query, in order"></console-plot></section>`;
  }

  #counts() {
    return Object.fromEntries(SHOWN.map(which => [which, this.rows.filter(row => belongs(row, which)).length]));
  }

  #queries() {
    const counts = this.#counts();
    const two = Boolean(this.run.figures.difference);
    const choices = SHOWN.filter(which => which === 'all' || which === this.show || (counts[which] && (two || !['better', 'worse', 'same'].includes(which))));
    const rows = this.rows.filter(row => belongs(row, this.show));
    return html`<section class="evaluation-queries" aria-labelledby="queries-title">
      <div class="queries-head"><h2 id="queries-title">Queries</h2>
        <div class="field"><label class="unseen" for="show">Which queries</label><select id="show" @change=${e => this.#send(e.target.value)}>
          ${choices.map(which => html`<option value=${which} .selected=${which === this.show}>${NAMES[which]} (${number(counts[which])})</option>`)}</select></div></div>
      ${rows.length ? this.#table(this.all ? rows : rows.slice(0, FIRST), two) : html`<p class="muted">There are no such queries.</p>`}
      ${this.all || rows.length <= FIRST ? nothing : html`<button type="button" @click=${() => (this.all = true)}>Show all ${number(rows.length)}</button>`}</section>`;
  }

  #table(rows, two) {
    return html`<div class="table-frame"><table class="queries">
      <caption class="unseen">Queries with their nDCG@10</caption>
      <thead><tr><th scope="col">Query</th>${two ? html`<th scope="col">A</th><th scope="col">B</th><th scope="col">B − A</th>` : html`<th scope="col">nDCG@10</th>`}
        <th scope="col" class="wide">Judged hits</th></tr></thead>
      <tbody>${rows.map(row => this.#row(row, two))}</tbody></table></div>`;
  }

  #row({ query, values, difference }, two) {
    return html`<tr>
      <th scope="row"><a href=${searchFor(this.run.state, query)} dir="auto">${query}</a></th>
      ${values.map(value => html`<td>${value.failed ? html`<span class="bad">failed</span>` : measure(value.ndcg_at_10)}</td>`)}
      ${two ? html`<td class="difference ${sign(difference)}">${signed(difference)}</td>` : nothing}
      <td class="wide">${values.map(value => `${value.judged} of ${value.hits}`).join(' · ')}</td></tr>`;
  }

  #send(detail) {
    this.dispatchEvent(new CustomEvent('show-queries', { detail, bubbles: true }));
  }
}

/** The queries, those first for which B is better. */
function rowsOf({ queries, figures }) {
  const differences = figures.difference?.by_query ?? {};
  return queries
    .map(query => ({ ...query, difference: differences[query.id] ?? 0 }))
    .sort((one, other) => other.difference - one.difference || one.query.localeCompare(other.query));
}

function plotted(rows) {
  return [rows.map((_, i) => i + 1), rows.map(({ difference }) => (difference > 0 ? difference : null)), rows.map(({ difference }) => (difference < 0 ? difference : null))];
}

function belongs({ difference, values }, which) {
  switch (which) {
    case 'better': return difference > 0;
    case 'worse': return difference < 0;
    case 'same': return difference === 0;
    case 'unjudged': return values.some(value => !value.judged && !value.failed);
    case 'failed': return values.some(value => value.failed);
    default: return true;
  }
}

function sign(difference) {
  return difference > 0 ? 'up' : difference < 0 ? 'down' : '';
}

function letter(name) {
  return html`<span class="letter ${name.toLowerCase()}">${name}</span>`;
}

customElements.define('evaluation-result', EvaluationResult);
