import { LitElement, html, nothing } from 'lit';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { number } from './format.js';

const PATH = 'api/v1/schedules';
const REFRESH_MS = 5000;
const COUNTS = [['added', 'new'], ['changed', 'changed'], ['removed', 'removed'], ['skipped', 'left out']];
const UNITS = [['d', 86400], ['h', 3600], ['min', 60]];

/** When a collection is updated by itself, how that went, and a form for it. */
class CollectionSchedule extends LitElement {
  static properties = {
    backend: {}, collection: {}, mayUpdate: { type: Boolean },
    schedule: { state: true }, elsewhere: { state: true }, error: { state: true }, editing: { state: true }, busy: { state: true }, problem: { state: true },
  };

  #timer = 0;

  constructor() {
    super();
    this.#reset();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => document.hidden || this.#load(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  willUpdate(changed) {
    if (!changed.has('backend') && !changed.has('collection')) return;
    this.#reset();
    this.#load();
  }

  #reset() {
    Object.assign(this, { schedule: undefined, elsewhere: false, error: null, editing: false, busy: false, problem: '' });
  }

  render() {
    if (this.error) return errorNote(this.error, () => this.#load());
    if (this.schedule === undefined) return nothing;
    if (this.elsewhere) return html`<p class="small muted">Another process owns the data of this backend, and has its schedules.</p>`;
    return html`<section class="schedule" aria-label="Schedule">
      ${this.schedule ? this.#shown() : nothing}
      ${this.editing ? this.#form() : this.#buttons()}</section>`;
  }

  #shown() {
    const { update, time_zone: zone, next, running, watched, old, last, configured, by, age_seconds: age } = this.schedule;
    const when = update.startsWith('every') ? update : `at ${update} (${zone})`;
    return html`<p class="small"><span>Updates ${when}${watched ? ' and when its folder changes' : ''}, ${running ? 'now' : `next in ${until(next)}`}${last ? html`, last: <span dir="auto">${outcome(last)}</span>` : ''}</span></p>
      ${old ? html`<p class="small warned">Its last complete update is older than it should be: ${span(age)}.</p>` : nothing}
      ${configured ? html`<p class="small muted">switchboard.yaml has this schedule; it is changed there.</p>` : html`<p class="small muted">Set by <bdi>${by}</bdi>.</p>`}`;
  }

  #buttons() {
    if (!this.mayUpdate || this.schedule?.configured || (this.schedule && !this.schedule.may_change)) return nothing;
    return html`<p><button type="button" class="quiet schedule-edit" @click=${() => this.#edit()}>${this.schedule ? 'Change the schedule' : 'Update by itself'}</button></p>`;
  }

  #form() {
    const { update = 'every 15m', time_zone: zone = 'UTC' } = this.schedule ?? {};
    return html`<form class="inline-form" @submit=${event => this.#save(event)}>
      <label for="schedule-update">Update</label>
      <input id="schedule-update" name="update" required maxlength="100" autocomplete="off" .value=${update} aria-describedby="schedule-hint">
      <label for="schedule-zone">Time zone</label>
      <input id="schedule-zone" name="zone" required maxlength="60" autocomplete="off" .value=${zone}>
      <button type="submit" ?disabled=${this.busy}>Save</button>
      ${this.schedule ? html`<button type="button" class="quiet" ?disabled=${this.busy} @click=${() => this.#remove()}>No schedule</button>` : nothing}
      <button type="button" class="quiet" @click=${() => this.#close()}>Cancel</button></form>
      <p class="small muted" id="schedule-hint">every 15m, every 6h, every 1d, or a cron expression: 0 3 * * *</p>
      ${this.problem ? html`<p class="small field-error" role="alert" dir="auto">${this.problem}</p>` : nothing}`;
  }

  async #edit() {
    Object.assign(this, { editing: true, problem: '' });
    await this.updateComplete;
    this.querySelector('#schedule-update')?.focus();
  }

  async #close() {
    this.editing = false;
    await this.updateComplete;
    this.querySelector('.schedule-edit')?.focus();
  }

  #save(event) {
    event.preventDefault();
    const fields = new FormData(event.target);
    this.#change('PUT', { update: fields.get('update').trim(), time_zone: fields.get('zone').trim(), max_age: this.schedule?.max_age });
  }

  #remove() {
    this.#change('DELETE');
  }

  async #change(method, body) {
    Object.assign(this, { busy: true, problem: '' });
    try {
      await sendJson(method, `${PATH}/${encodeURIComponent(this.backend)}/${encodeURIComponent(this.collection)}`, body);
      await this.#load();
      await this.#close();
    } catch (e) {
      this.problem = e.message;
    }
    this.busy = false;
  }

  async #load() {
    const { backend, collection } = this;
    try {
      const { schedules, elsewhere } = await sendJson('GET', PATH);
      if (backend !== this.backend || collection !== this.collection) return;
      this.schedule = schedules.find(one => one.backend === backend && one.collection === collection) ?? null;
      this.elsewhere = elsewhere.includes(backend);
      this.error = null;
    } catch (e) {
      if (this.schedule === undefined) this.error = e;
    }
  }
}

function until(next) {
  return span(Math.max(0, (new Date(next) - Date.now()) / 1000));
}

function span(seconds) {
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? ['s', 1];
  return `${number(Math.round(seconds / size))} ${unit}`;
}

function outcome(last) {
  if (!last.ok) return last.error ? `failed. ${last.error}` : 'failed';
  const counts = COUNTS.filter(([name]) => last[name]).map(([name, word]) => `${number(last[name])} ${word}`).join(', ');
  return `${counts || ('added' in last ? 'nothing new' : '')}${last.complete ? ' (ok)' : ' (goes on)'}`.trim();
}

customElements.define('collection-schedule', CollectionSchedule);
