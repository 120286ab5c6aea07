import { html, nothing } from 'lit';
import { ConfirmationDialog } from './confirmation-dialog.js';
import { errorNote } from './error-note.js';

/** Asks to type a name before something is deleted. */
class TypedConfirmation extends ConfirmationDialog {
  static properties = { names: {}, typed: { state: true } };

  constructor() {
    super();
    this.names = [];
    this.verb = 'Delete';
    this.typed = '';
  }

  render() {
    return html`<dialog class="small-dialog" aria-labelledby="confirm-title" @cancel=${this.cancelled}>
      <form class="confirm" @submit=${this.#submit}>
        <h2 id="confirm-title">${this.heading}</h2>
        <p>${this.message}</p>
        <label for="confirm-name">Type ${this.names.map((name, i) => html`${i ? ' or ' : nothing}<code dir="auto">${name}</code>`)} to go on</label>
        <input id="confirm-name" autocomplete="off" spellcheck="false" autofocus .value=${this.typed} @input=${e => (this.typed = e.target.value)}>
        ${this.error ? errorNote(this.error) : nothing}
        <div class="dialog-buttons"><button type="button" ?disabled=${this.busy} @click=${() => this.over(false)}>Cancel</button>
          <button type="submit" class="danger" ?disabled=${this.busy || !this.#right()}>${this.busy ? 'Wait …' : this.verb}</button></div>
      </form></dialog>`;
  }

  #right() {
    const typed = plain(this.typed);
    return typed !== '' && this.names.some(name => plain(name) === typed);
  }

  #submit(event) {
    event.preventDefault();
    if (this.#right() && !this.busy) this.agreed();
  }
}

/** Names are compared as they are read: runs of spaces and ways to write the same letter don't matter. */
function plain(text) {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

customElements.define('typed-confirmation', TypedConfirmation);
