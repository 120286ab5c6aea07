import { LitElement } from 'lit';

/**
 * A dialog that asks before something is done. `act` does it; when it fails, the dialog stays and says why. Sends
 * `confirmation-over` with whether it was done.
 */
export class ConfirmationDialog extends LitElement {
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

  async agreed() {
    this.busy = true;
    this.error = null;
    try {
      await this.act();
      this.over(true);
    } catch (e) {
      this.error = e;
    }
    this.busy = false;
  }

  cancelled(event) {
    event.preventDefault();
    if (!this.busy) this.over(false);
  }

  over(done) {
    this.dispatchEvent(new CustomEvent('confirmation-over', { detail: done, bubbles: true }));
  }
}
