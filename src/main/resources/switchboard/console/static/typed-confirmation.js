import { LitElement, html, nothing } from 'lit';
import { errorNote } from './error-note.js';

/**
 * Asks to type a name before something is deleted. `act` does it; when it fails, the dialog stays and says why. Sends
 * `confirmation-over` with whether it was done.
 */
class TypedConfirmation extends LitElement {
  static properties = {
    heading: {}, message: {}, names: {}, verb: {}, act: {}, error: { state: true }, busy: { state: true }, typed: { state: true },
  };

  constructor() {
    super();
    this.names = [];
    this.verb = 'Delete';
    this.error = null;
    this.busy = false;
    this.typed = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.updateComplete.then(() => this.querySelector('dialog').showModal());
  }

  render() {
    return html`<dialog class="small-dialog" aria-labelledby="confirm-title" @cancel=${this.#cancelled}>
      <form class="confirm" @submit=${this.#submit}>
        <h2 id="confirm-title">${this.heading}</h2>
        <p>${this.message}</p>
        <label for="confirm-name">Type ${this.names.map((name, i) => html`${i ? ' or ' : nothing}<code dir="auto">${name}</code>`)} to go on</label>
        <input id="confirm-name" autocomplete="off" spellcheck="false" autofocus .value=${this.typed} @input=${e => (this.typed = e.target.value)}>
        ${this.error ? errorNote(this.error) : nothing}
        <div class="dialog-buttons"><button type="button" ?disabled=${this.busy} @click=${() => this.#over(false)}>Cancel</button>
          <button type="submit" class="danger" ?disabled=${this.busy || !this.#right()}>${this.busy ? 'Wait …' : this.verb}</button></div>
      </form></dialog>`;
  }

  #right() {
    const typed = plain(this.typed);
    return typed !== '' && this.names.some(name => plain(name) === typed);
  }

  async #submit(event) {
    event.preventDefault();
    if (!this.#right() || this.busy) return;
    this.busy = true;
    this.error = null;
    try {
      await this.act();
      this.#over(true);
    } catch (e) {
      this.error = e;
    }
    this.busy = false;
  }

  #cancelled(event) {
    event.preventDefault();
    if (!this.busy) this.#over(false);
  }

  #over(done) {
    this.dispatchEvent(new CustomEvent('confirmation-over', { detail: done, bubbles: true }));
  }
}

/** Names are compared as they are read: runs of spaces and ways to write the same letter don't matter. */
function plain(text) {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

customElements.define('typed-confirmation', TypedConfirmation);
