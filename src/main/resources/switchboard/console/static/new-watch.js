import { LitElement, html, nothing } from 'lit';
import { errorNote } from './error-note.js';
import { call } from './mcp.js';

/** The form that asks a standing question. Sends `watches-changed` with the new one. */
class NewWatch extends LitElement {
  static properties = { error: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.error = null;
    this.busy = false;
  }

  createRenderRoot() {
    return this;
  }

  render() {
    return html`<details class="fold"><summary>Ask a new question</summary><form class="watch-form" @submit=${this.#ask}>
      <div class="field"><label for="watch-query">Question</label>
        <input id="watch-query" name="query" required maxlength="4000" autocomplete="off" dir="auto"></div>
      <div class="field"><label for="watch-sources">Sources, with a space between them</label>
        <input id="watch-sources" name="sources" maxlength="4000" autocomplete="off" spellcheck="false" placeholder="All"></div>
      <div class="field"><label for="watch-relevance">Lowest relevance</label>
        <input id="watch-relevance" name="min_relevance" type="number" min="0" max="1" step="0.01" placeholder="0"></div>
      <div class="field"><label for="watch-note">Note</label>
        <input id="watch-note" name="note" maxlength="500" autocomplete="off" dir="auto"></div>
      <button type="submit" class="primary" ?disabled=${this.busy}>${this.busy ? 'Asking it …' : 'Ask it'}</button></form>
      ${this.error ? errorNote(this.error) : nothing}</details>`;
  }

  async #ask(event) {
    event.preventDefault();
    if (this.busy) return;
    const { query, sources, min_relevance: relevance, note } = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value.trim()]));
    const names = sources.split(/\s+/).filter(Boolean);
    this.busy = true;
    this.error = null;
    try {
      const { watches } = await call('watch_search', {
        query,
        ...(names.length && { sources: names }),
        ...(relevance && { min_relevance: Number(relevance) }),
        ...(note && { note }),
      });
      this.#tell({ watch: watches[0].watch, said: 'The question is asked. What is there now is no news.' });
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent('watches-changed', { detail, bubbles: true }));
  }
}

customElements.define('new-watch', NewWatch);
