import { LitElement, html, nothing } from 'lit';
import { callIn } from './backend-tools.js';
import { errorNote } from './error-note.js';

/** The form that adds a collection of files to a backend. Sends `sources-changed`, and `go` to the collection. */
class NewCollection extends LitElement {
  static properties = { backend: {}, error: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.error = null;
    this.busy = false;
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const id = part => `new-collection-${this.backend}-${part}`;
    return html`<form class="inline-form" @submit=${this.#add}>
        <label for=${id('name')}>New collection</label>
        <input id=${id('name')} name="name" required maxlength="100" autocomplete="off" placeholder="Its name">
        <label for=${id('path')}>Folder</label>
        <input id=${id('path')} name="path" required maxlength="4096" autocomplete="off" spellcheck="false" placeholder="On the gateway’s machine">
        <label for=${id('pattern')}>Files</label>
        <input id=${id('pattern')} name="pattern" maxlength="1000" autocomplete="off" spellcheck="false" placeholder="**/*.md">
        <button type="submit" ?disabled=${this.busy}>${this.busy ? 'Adding it …' : 'Add it'}</button></form>
      ${this.error ? errorNote(this.error) : nothing}`;
  }

  async #add(event) {
    event.preventDefault();
    const fields = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value.trim()]));
    this.busy = true;
    this.error = null;
    try {
      await callIn(this.backend, 'collection_add', { name: fields.name, path: fields.path, pattern: fields.pattern || null });
      this.#tell('sources-changed');
      this.#tell('go', { s: `${this.backend}:${fields.name}` });
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

customElements.define('new-collection', NewCollection);
