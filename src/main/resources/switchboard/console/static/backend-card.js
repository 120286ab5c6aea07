import { html, nothing } from 'lit';
import { compact, counted, day, duration, number, size } from './format.js';
import { icons } from './icons.js';
import { writeState } from './sources-state.js';
import { sparkline } from './sparkline.js';

/** The look of each status; the word itself is always there too. */
const LOOKS = { up: 'ok', degraded: 'partial', down: 'error', off: 'off' };

/**
 * A backend: how it is, its numbers where the person may see them, and its sources.
 *
 * @param {{id: string, type?: string, status?: string}} backend
 * @param {object[]} sources as `list_sources` gives them
 * @param {object[]} unavailable why some can't be listed
 * @param {import('./backend-health.js').BackendHealth} health
 * @param {unknown} more what can be done with it
 */
export function backendCard(backend, sources, unavailable, health, more) {
  const id = `backend-${backend.id}`;
  return html`<section class="backend" aria-labelledby=${id}>
    <header class="backend-head">
      <h2 id=${id}>${backend.id}</h2>
      ${backend.type && backend.type !== backend.id ? html`<span class="small muted">${backend.type}</span>` : nothing}
      ${statusChip(backend)}
      ${numbers(backend, health)}
    </header>
    ${backend.detail && backend.detail !== backend.status && !unavailable.some(state => state.detail === backend.detail) ? html`<p class="small backend-detail" dir="auto">${backend.detail}</p>` : nothing}
    ${unavailable.map(state => html`<p class="small unavailable"><strong>${state.source}</strong> can’t be listed: <span dir="auto">${state.detail || state.status}</span></p>`)}
    ${sources.length ? html`<ul class="source-rows">${sources.map(entry => html`<li class="source-row">${sourceRow(entry)}</li>`)}</ul>`
      : unavailable.length ? nothing : html`<p class="small muted">It has no sources to search.</p>`}
    ${more}
  </section>`;
}

/** The status of a backend in a word and a colour. */
export function statusChip({ status }) {
  if (!status) return nothing;
  return html`<span class="chip ${LOOKS[status] ?? 'error'}"><span class="dot" aria-hidden="true"></span><span class="chip-state">${status}</span></span>`;
}

/** How many documents a source has, when it changed, and how it is searched. */
export function sourceFacts(entry) {
  const facts = [
    entry.documents === undefined ? '' : counted(entry.documents, 'document'),
    entry.unread ? 'not read yet' : '',
    entry.updated ? `changed ${day(entry.updated)}` : '',
    entry.searched_by?.length ? `searched by ${entry.searched_by.join(' and ')}` : '',
  ].filter(Boolean).join(' · ');
  return html`<span class="facts" title=${entry.updated ? `Last change: ${entry.updated}` : nothing}>${facts}</span>`;
}

/** The fields that filters may name, folded. */
export function filterFields({ filter_fields: fields = [], more_filter_fields: more }) {
  if (!fields.length) return nothing;
  return html`<details class="field-names"><summary class="small">${counted(fields.length, 'filter field')}${more ? ', and more' : ''}</summary>
    <ul>${fields.map(field => html`<li><code>${field.name}</code> <span class="muted small">${aboutField(field)}</span></li>`)}</ul></details>`;
}

/** The address of the search in one source. */
export const searchIn = source => `search?${new URLSearchParams({ s: source })}`;

function sourceRow(entry) {
  return html`<div class="source-what">
      <h3 dir="auto"><a class="source-link" href=${`sources${writeState({ s: entry.source })}`}>${entry.name}</a></h3>
      ${entry.description ? html`<p class="description" dir="auto" title=${entry.description}>${entry.description}</p>` : nothing}
      ${sourceFacts(entry)}
      ${filterFields(entry)}
    </div>
    ${entry.unread ? nothing : html`<a class="button quiet" href=${searchIn(entry.source)} aria-label=${`Search here: ${entry.name}`}>${icons.search}<span>Search here</span></a>`}`;
}

function aboutField({ types = [], ranges, examples = [] }) {
  return [types.join(', '), ranges ? 'ranges' : '', examples.length ? `such as ${examples.slice(0, 3).map(example => JSON.stringify(example)).join(', ')}` : '']
    .filter(Boolean).join(' · ');
}

function numbers(backend, health) {
  const tools = backend.tools === undefined ? nothing : figure('Tools', number(backend.tools));
  if (backend.calls === undefined) return html`<dl class="figures">${tools}</dl>`;
  const recent = health.recent(backend.id);
  const { in_flight: running = 0, waiting = 0, limit } = backend;
  return html`<dl class="figures">
    ${tools}
    ${figure('Calls per minute', recent ? compact(Math.round(recent.perMinute)) : '…')}
    ${recent?.failed ? figure('Failed', number(recent.failed), 'warned') : nothing}
    ${figure('Latency', recent?.latency != null ? duration(recent.latency) : '–', '', sparkline(health.latencies(backend.id), 'Mean latency in the last minutes'))}
    ${figure('In flight', limit ? `${number(running)} of ${number(limit)}` : number(running))}
    ${waiting ? figure('Waiting', number(waiting), 'warned') : nothing}
    ${backend.breaker && backend.breaker !== 'closed' ? figure('Circuit breaker', backend.breaker.replace('_', ' '), 'warned') : nothing}
    ${backend.chunks === undefined ? nothing : figure('Chunks', compact(backend.chunks))}
    ${backend.disk_bytes === undefined ? nothing : figure('On disk', size(backend.disk_bytes))}
  </dl>`;
}

function figure(name, value, look = '', picture = nothing) {
  return html`<div class=${look || nothing}><dt>${name}</dt><dd>${value}${picture}</dd></div>`;
}
