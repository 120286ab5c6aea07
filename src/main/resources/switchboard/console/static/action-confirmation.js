import { html, nothing } from 'lit';
import { ConfirmationDialog } from './confirmation-dialog.js';
import { errorNote } from './error-note.js';

/** Asks before something is done that can be undone. */
class ActionConfirmation extends ConfirmationDialog {
  render() {
    return html`<dialog class="small-dialog" aria-labelledby="action-title" aria-describedby="action-message" @cancel=${this.cancelled}>
      <div class="confirm">
        <h2 id="action-title">${this.heading}</h2>
        <p id="action-message" class="anywhere" dir="auto">${this.message}</p>
        ${this.error ? errorNote(this.error) : nothing}
        <div class="dialog-buttons"><button type="button" autofocus ?disabled=${this.busy} @click=${() => this.over(false)}>Cancel</button>
          <button type="button" class="primary" ?disabled=${this.busy} @click=${this.agreed}>${this.busy ? 'Wait …' : this.verb}</button></div>
      </div></dialog>`;
  }
}

customElements.define('action-confirmation', ActionConfirmation);
