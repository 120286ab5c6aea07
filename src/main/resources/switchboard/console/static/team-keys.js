import { LitElement, html, nothing } from 'lit';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { day, time, utcDay } from './format.js';
import { limitFigures } from './team-facts.js';
import './copy-button.js';
import './typed-confirmation.js';

const PATH = 'api/v1/keys';
const STATES = { in_force: ['in force', 'ok'], expired: ['expired', 'off'], revoked: ['revoked', 'error'] };

/** The keys of a team. Operators make and revoke them. Sends `teams-changed` after a change. */
class TeamKeys extends LitElement {
  static properties = {
    team: {}, since: {}, changes: {}, own: {}, made: { state: true }, error: { state: true }, busy: { state: true }, asked: { state: true }, said: { state: true },
  };

  constructor() {
    super();
    this.team = null;
    /** Since when uses of keys are known. */
    this.since = '';
    /** What the person may change; null for nothing. */
    this.changes = null;
    /** The id of the key that the person is signed in with. */
    this.own = '';
    this.#clear();
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (changed.has('team') && changed.get('team')?.name !== this.team.name) this.#clear();
  }

  render() {
    const { keys } = this.team;
    return html`
      <p class="unseen" role="status">${this.said}</p>
      ${this.made ? this.#shown() : nothing}
      ${keys.length ? html`<ul class="document-rows">${keys.map(key => this.#row(key))}</ul>` : html`<p class="muted">It has no keys.</p>`}
      ${keys.length ? html`<p class="small muted">Uses are known since ${day(this.since)}, ${time(this.since)}, when this gateway started.</p>` : nothing}
      ${this.changes ? this.#changing() : nothing}
      ${this.asked ? this.#confirmation() : nothing}`;
  }

  #row(key) {
    const [state, look] = STATES[key.state] ?? [key.state, 'off'];
    const facts = [
      key.expires ? `${key.state === 'expired' ? 'expired' : 'expires'} ${utcDay(key.expires)}` : 'never expires',
      key.last_used ? `last used ${day(key.last_used)}, ${time(key.last_used)}` : 'not used since the start',
    ].join(' · ');
    return html`<li class="document-row key-row">
      <div class="source-what">
        <h3><code>${key.id}</code> <span class="chip ${look}"><span class="dot" aria-hidden="true"></span><span class="chip-state">${state}</span></span>
          ${key.id === this.own ? html`<span class="small muted">the one that you use here</span>` : nothing}</h3>
        ${key.name ? html`<p class="small" dir="auto">${key.name}</p>` : nothing}
        <span class="facts">${facts}</span>
        ${key.limits ? limitFigures(key) : nothing}
      </div>
      ${this.changes?.revoke && key.state !== 'revoked' ? html`<button type="button" aria-label=${`Revoke ${key.id}`} @click=${() => (this.asked = key)}>Revoke</button>` : nothing}</li>`;
  }

  #changing() {
    const { create, revoke, reason } = this.changes;
    const note = create ? nothing : html`<p class="small read-only">${revoke ? 'No keys can be made here' : 'Keys can’t be made or revoked here'}: ${reason}
      Change the file where it comes from; the gateway reads it again by itself.</p>`;
    return create ? this.#form() : note;
  }

  #form() {
    return html`<form class="new-key" @submit=${this.#create}>
      <div class="field"><label for="key-id">Id</label>
        <input id="key-id" name="id" maxlength="64" pattern="[A-Za-z0-9_.\\-]+" autocomplete="off" spellcheck="false" aria-describedby="key-id-hint">
        <span class="hint" id="key-id-hint">Its name in logs: letters, digits, _ . - Empty: a random one</span></div>
      <div class="field"><label for="key-expires">Expires</label>
        <input id="key-expires" name="expires" type="date" min=${tomorrow()} aria-describedby="key-expires-hint">
        <span class="hint" id="key-expires-hint">The day from which it is refused. Empty: never</span></div>
      <button type="submit" class="primary" ?disabled=${this.busy}>${this.busy ? 'Wait …' : 'Make a key'}</button>
      ${this.error ? errorNote(this.error) : nothing}
    </form>`;
  }

  #shown() {
    const { team, id, key, in_force: works } = this.made;
    return html`<section class="made-key" aria-labelledby="made-title">
      <h3 id="made-title" tabindex="-1">The new key ${id} of <bdi>${team}</bdi></h3>
      <p><strong>It is shown this once.</strong> Nobody can read it again, also not the gateway. Copy it now, and give it to who needs it in a way that others don’t see.</p>
      <p class="key-text"><code>${key}</code><copy-button .text=${key} label="Copy the key" short="Copy"></copy-button></p>
      ${works ? nothing : html`<p class="field-error">It doesn’t work yet: the gateway can’t use the teams file and goes on with the teams before. Its log says why.</p>`}
      <button type="button" @click=${() => (this.made = null)}>I have it</button>
    </section>`;
  }

  #confirmation() {
    const { id } = this.asked;
    const own = id === this.own ? ' You are signed in with it, so you will be signed out.' : '';
    return html`<typed-confirmation .heading=${`Revoke ${id}?`} .verb=${'Revoke'} .names=${[id]} .act=${() => this.#revoke(id)}
      .message=${`Whoever uses this key of ${this.team.name} is refused at once, and that can’t be undone.${own}`}
      @confirmation-over=${this.#over}></typed-confirmation>`;
  }

  async #create(event) {
    event.preventDefault();
    const form = event.target;
    const { id, expires } = Object.fromEntries(new FormData(form));
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    try {
      this.made = await sendJson('POST', PATH, { team: this.team.name, ...(id && { id }), ...(expires && { expires }) });
      form.reset();
      this.#changed();
      await this.updateComplete;
      this.querySelector('#made-title')?.focus();
    } catch (e) {
      this.error = e;
    }
    this.busy = false;
  }

  async #revoke(id) {
    const { in_force: works, stays } = await sendJson('DELETE', PATH, { team: this.team.name, id });
    if (works) throw new Error('It is no longer in the teams file, but the gateway can’t use the file and goes on with the teams before. Its log says why.');
    if (this.made?.id === id) this.made = null;
    this.said = stays ? `${id} is revoked. Its lines stay in the teams file, where they do nothing: ${stays}` : `${id} is revoked.`;
  }

  #over({ detail: done }) {
    this.asked = null;
    if (done) this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent('teams-changed', { bubbles: true }));
  }

  #clear() {
    this.made = null;
    this.error = null;
    this.busy = false;
    this.asked = null;
    this.said = '';
  }
}

/** The first day that a key can expire: days are those of UTC. */
function tomorrow() {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
}

customElements.define('team-keys', TeamKeys);
