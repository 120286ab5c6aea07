import { html, nothing } from 'lit';
import { number } from './format.js';
import { callMs } from './live-format.js';
import { COLUMNS, sorted } from './usage-state.js';

/** The name of what a row counts. */
export function toolName({ tool, backend, other }) {
  if (other) return 'other tools';
  return tool || (backend ? 'resources and prompts' : 'no tool');
}

/**
 * Calls by team and tool, in an order that one may choose.
 *
 * @param {object[]} rows
 * @param {ReturnType<typeof import('./usage-state.js').readState>} state
 * @param {(change: object) => void} go takes another state
 */
export function usageTable(rows, state, go) {
  const teams = rows.some(row => row.team);
  const columns = COLUMNS.filter(column => column.id !== 'team' || teams);
  return html`<div class="table-frame"><table class="usage-table">
    <caption class="unseen">Calls by team and tool</caption>
    <thead><tr>${columns.map(column => head(column, state, go))}</tr></thead>
    <tbody>${sorted(rows, state).map(row => html`<tr>${columns.map(column => cell(column, row, go))}</tr>`)}</tbody>
  </table></div>`;
}

function head({ id, name, text, wide }, { sort, reversed }, go) {
  const chosen = id === sort;
  const ascending = Boolean(text) !== reversed;
  return html`<th scope="col" class=${look(text, wide)} aria-sort=${chosen ? (ascending ? 'ascending' : 'descending') : nothing}>
    <button type="button" class="link" @click=${() => go({ sort: id, reversed: chosen && !reversed })}>${name}${chosen ? html`<span aria-hidden="true">${ascending ? ' ↑' : ' ↓'}</span>` : nothing}</button></th>`;
}

function cell({ id, text, wide, latency }, row, go) {
  return html`<td class=${look(text, wide)}>${id === 'tool' ? tool(row, go) : text ? html`<bdi>${row[id]}</bdi>` : latency ? time(row[id]) : number(row[id])}</td>`;
}

function tool(row, go) {
  return row.tool && !row.other
    ? html`<button type="button" class="link" @click=${() => go({ tool: row.tool })}><bdi>${row.tool}</bdi></button>`
    : html`<span class="muted">${toolName(row)}</span>`;
}

/** A latency in ms, which is null where there is none. */
export const time = ms => (ms === null ? '–' : callMs(ms));

function look(text, wide) {
  return `${text ? 'name' : 'amount'}${wide ? ' wide' : ''}`;
}
