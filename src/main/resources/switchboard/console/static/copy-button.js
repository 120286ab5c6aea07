import { LitElement, html } from 'lit';
import { icons } from './icons.js';

/** A button that copies `text`, and says that it did. */
class CopyButton extends LitElement {
  static properties = { text: {}, label: {}, short: {}, said: { state: true } };

  constructor() {
    super();
    this.text = '';
    this.label = 'Copy';
    this.short = '';
    this.said = '';
  }

  createRenderRoot() {
    return this;
  }

  render() {
    return html`<button type="button" class="quiet" title=${this.label}
      aria-label=${this.short ? `${this.short}: ${this.label}` : this.label} @click=${this.#copy}>
      ${this.said ? icons.done : icons.copy}<span>${this.said || this.short}</span></button>
      <span class="unseen" role="status">${this.said}</span>`;
  }

  async #copy() {
    this.said = (await copied(this.text)) ? 'Copied' : 'Not copied';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.said = ''), 2000);
  }
}

/** The clipboard needs HTTPS or loopback; the older command works without. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'unseen';
    const focused = document.activeElement;
    (focused?.closest('dialog') ?? document.body).append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    focused?.focus();
    return done;
  }
}

customElements.define('copy-button', CopyButton);
