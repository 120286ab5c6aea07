import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { counted } from './format.js';
import { lineDiff } from './line-diff.js';
import { Listing } from './listing.js';

const PATH = 'api/v1/definitions';
const MARKS = { removed: '−', added: '+', '': '' };
const SPOKEN = { removed: 'removed: ', added: 'added: ', '': '' };

/** For operators: definitions of other servers' tools that are held back, what has changed in them, and a button that approves one. Nothing if there are none. */
class HeldDefinitions extends LitElement {
  static properties = { busy: { state: true }, error: { state: true }, said: { state: true } };

  #held = new Listing(this);

  constructor() {
    super();
    /** The hash of the definition that is being approved. */
    this.busy = '';
    this.error = null;
    this.said = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  render() {
    const { value, error } = this.#held;
    const list = error ? errorNote(error, () => this.#load()) : this.#list(value ?? { held: [], unread: [] });
    return html`<p class="unseen" role="status">${this.said}</p>${list}`;
  }

  #list({ held, unread }) {
    if (!held.length && !unread.length && !this.said) return nothing;
    return html`<section class="documents held" aria-labelledby="held-title">
      <div class="list-head"><h2 id="held-title" tabindex="-1">Held definitions</h2><span class="muted">${counted(held.length, 'definition')}</span></div>
      <p class="small muted">Other servers have changed these tools since they were approved, or they are new. Agents don’t get them before you approve them. Read what changes: the text of a tool tells agents what to do.</p>
      ${unread.length ? html`<p class="read-only small">What is held back of ${unread.join(', ')} can’t be read. The gateway’s log says why.</p>` : nothing}
      ${this.error ? errorNote(this.error) : nothing}
      ${this.said ? html`<p class="small" aria-hidden="true">${this.said}</p>` : nothing}
      <ul class="document-rows">${repeat(held, one => `${one.backend}/${one.tool}`, one => this.#row(one))}</ul>
    </section>`;
  }

  #row(one) {
    return html`<li class="document-row held-row">
      <div class="held-head"><h3><bdi>${one.tool}</bdi> <span class="small muted">of ${one.backend}, ${one.approved ? 'changed' : 'not seen before, or its earlier text is not known'}</span></h3>
        <button type="button" aria-label=${`Approve ${one.tool} of ${one.backend}`} ?disabled=${this.busy} @click=${() => this.#approve(one)}>${this.busy === one.hash ? 'Wait …' : 'Approve'}</button></div>
      <pre class="diff" tabindex="0" aria-label=${`What changes in ${one.tool}`}><code>${lineDiff(one.approved ? written(one.approved) : '', written(one.definition))
        .filter(line => one.approved || line.change !== 'removed')
        .map(line => html`<span class=${`line ${line.change}`}><span class="unseen">${SPOKEN[line.change]}</span><span class="sign" aria-hidden="true">${MARKS[line.change]}</span>${line.text}
</span>`)}</code></pre></li>`;
  }

  async #load() {
    await this.#held.load(() => sendJson('GET', PATH));
  }

  async #approve({ backend, tool, hash }) {
    this.busy = hash;
    this.error = null;
    this.said = '';
    try {
      await sendJson('POST', PATH, { backend, tool, hash });
      this.said = `${tool} of ${backend} is approved. Agents get it within seconds.`;
    } catch (e) {
      this.error = e;
    }
    this.busy = '';
    await this.#load();
    this.querySelector('#held-title')?.focus();
  }
}

/** What can't be seen, and would be approved unseen. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/**
 * A definition with its fields in the order of their names, as its hash has them, so that only real changes show. Characters
 * that can't be seen are there as their numbers.
 */
function written(definition) {
  return JSON.stringify(sorted(definition), null, 2).replace(UNSEEN, character => `\\u{${character.codePointAt(0).toString(16)}}`);
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])]));
}

customElements.define('held-definitions', HeldDefinitions);
