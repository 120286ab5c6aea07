import { LitElement, html } from 'lit';
import { icons } from './icons.js';
import { setShortcuts, shortcutsOn } from './shortcuts.js';

const KEYS = [
  [['/'], 'Go to the search box'],
  [['j', 'k'], 'Next and previous hit, in a document too'],
  [['↓', '↑'], 'The same, from the search box or a hit'],
  [['Enter'], 'Search; open the hit'],
  [['Ctrl', 'Enter'], 'Call the tool whose form one is in'],
  [['Esc'], 'Close the document; stop the search'],
];

/** The button and the dialog that name the keys, with the switch for single keys. */
class ShortcutsHelp extends LitElement {
  createRenderRoot() {
    return this;
  }

  render() {
    return html`
      <button type="button" class="quiet icon-only wide-only" aria-label="Keyboard shortcuts" title="Keyboard shortcuts"
        @click=${() => this.querySelector('dialog').showModal()}>${icons.keyboard}</button>
      <dialog class="small-dialog" aria-labelledby="shortcuts-title" @click=${this.#clicked}>
        <div class="dialog-head"><h2 id="shortcuts-title">Keyboard</h2>${this.#closeButton()}</div>
        <dl class="keys">${KEYS.map(([keys, what]) => html`
          <div><dt>${keys.map(key => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
        <label class="check"><input type="checkbox" .checked=${shortcutsOn()}
          @change=${e => setShortcuts(e.target.checked)}> Single keys (/, j, k) work</label>
      </dialog>`;
  }

  #closeButton() {
    return html`<button type="button" class="quiet icon-only" aria-label="Close"
      @click=${() => this.querySelector('dialog').close()}>${icons.close}</button>`;
  }

  #clicked(event) {
    if (event.target === event.currentTarget) event.currentTarget.close();
  }
}

customElements.define('shortcuts-help', ShortcutsHelp);
