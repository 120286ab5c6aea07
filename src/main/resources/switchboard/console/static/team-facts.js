import { html, nothing } from 'lit';
import { number, size } from './format.js';

const LIMITS = {
  callsPerDay: 'Calls per day', tokensPerDay: 'Tokens per day', callsPerSecond: 'Calls per second', burst: 'Calls at once, at most',
  concurrentCalls: 'Calls under way', resultSize: 'Size of a result',
};

/** What a team may do, as the teams file has it: grants, views, and the names of what its calls are bound to. */
export function teamRights({ grants, views, bindings }) {
  const bound = Object.entries(bindings);
  return html`<dl class="rights">
    <div><dt>Grants</dt><dd>${grants.length ? html`<ul>${grants.map(grant => html`<li><code dir="auto">${grant}</code></li>`)}</ul>` : 'none: it may do nothing'}</dd></div>
    <div><dt>Views</dt><dd>${views ? views.length ? html`<ul>${views.map(view => html`<li><code dir="auto">${view}</code></li>`)}</ul>` : 'none' : 'all'}</dd></div>
    ${bound.length ? html`<div><dt>Bound at</dt><dd><ul>${bound.map(([backend, names]) => html`<li>${backend}: ${names.join(', ')}</li>`)}</ul></dd></div>` : nothing}
  </dl>`;
}

/**
 * Limits, and what is used of them today.
 *
 * @param {{limits?: object, used_today?: {calls: number, tokens?: number}}} of a team or a key
 */
export function limitFigures({ limits = {}, used_today: used }) {
  const figures = Object.entries(LIMITS).filter(([name]) => limits[name] !== undefined)
    .map(([name, label]) => [label, name === 'resultSize' ? size(limits[name]) : limit(limits[name], usedOf(name, used))]);
  if (limits.callsPerDay === undefined && used) figures.unshift(['Calls today', number(used.calls)]);
  return html`<dl class="figures">${figures.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function usedOf(name, used) {
  return { callsPerDay: used?.calls, tokensPerDay: used?.tokens }[name];
}

function limit(most, used) {
  return used === undefined ? number(most) : html`<span class=${used >= most ? 'warned' : nothing}>${number(used)} of ${number(most)}</span>`;
}
