import { LitElement, html, nothing } from 'lit';
import { errorNote } from './error-note.js';

/**
 * Asks before something is done. `act` does it; when it fails, the dialog stays and says why. Sends `confirmation-over` with
 * whether it was done.
 */
class ActionConfirmation extends LitElement {
  static properties = { heading: {}, message: {}, verb: {}, act: {}, error: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.error = null;
    this.busy = false;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.updateComplete.then(() => this.querySelector('dialog').showModal());
  }

  render() {
    return html`<dialog class="small-dialog" aria-labelledby="action-title" aria-describedby="action-message" @cancel=${this.#cancelled}>
      <div class="confirm">
        <h2 id="action-title">${this.heading}</h2>
        <p id="action-message" class="anywhere" dir="auto">${this.message}</p>
        ${this.error ? errorNote(this.error) : nothing}
        <div class="dialog-buttons"><button type="button" autofocus ?disabled=${this.busy} @click=${() => this.#over(false)}>Cancel</button>
          <button type="button" class="primary" ?disabled=${this.busy} @click=${this.#agreed}>${this.busy ? 'Wait …' : this.verb}</button></div>
      </div></dialog>`;
  }

  async #agreed() {
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

customElements.define('action-confirmation', ActionConfirmation);
