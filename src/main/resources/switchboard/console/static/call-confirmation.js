import { LitElement, html } from 'lit';
import { jsonView } from './json-view.js';

/** Asks before a tool is called that may destroy something. Sends `confirmation-over` with whether it is to be called. */
class CallConfirmation extends LitElement {
  static properties = { tool: {}, args: {} };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.updateComplete.then(() => this.querySelector('dialog').showModal());
  }

  render() {
    return html`<dialog class="small-dialog" aria-labelledby="call-title" @cancel=${this.#cancelled}><div class="confirm">
      <h2 id="call-title">Call a destructive tool?</h2>
      <p><code dir="auto">${this.tool.name}</code> may delete or overwrite something. It is called as you, with these arguments:</p>
      <div class="confirm-arguments" tabindex="0" role="group" aria-label="Arguments">${jsonView(this.args, 'the arguments')}</div>
      <div class="dialog-buttons"><button type="button" autofocus @click=${() => this.#over(false)}>Cancel</button>
        <button type="button" class="danger" @click=${() => this.#over(true)}>Call it</button></div></div></dialog>`;
  }

  #cancelled(event) {
    event.preventDefault();
    this.#over(false);
  }

  #over(agreed) {
    this.dispatchEvent(new CustomEvent('confirmation-over', { detail: agreed, bubbles: true }));
  }
}

customElements.define('call-confirmation', CallConfirmation);
