import { LitElement, html, nothing } from 'lit';
import { compact, counted, day } from './format.js';
import { expectedSources } from './search-run.js';
import { MANY_SOURCES, withWords } from './source-filter.js';

/** Chooses sources, grouped by backend; none chosen means all. Sends `change-sources` with the new choice. */
class SourcePicker extends LitElement {
  static properties = { catalogue: {}, chosen: {}, wanted: { state: true } };

  constructor() {
    super();
    this.catalogue = { sources: [], unavailable: [], error: null, loading: true };
    this.chosen = [];
    this.wanted = '';
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const { sources, unavailable, error, loading } = this.catalogue;
    if (loading) return html`<p class="muted small">Asking what can be searched …</p>`;
    if (error) return html`<p class="field-error">${error.message}</p>`;
    const checked = new Set(this.chosen.length ? expectedSources(sources, this.chosen) : []);
    return html`
      <p class="picker-head"><span class="muted small">${this.#summary(checked.size)}</span>
        ${this.chosen.length ? html`<button type="button" class="link small" @click=${() => this.#send([])}>Search all</button>` : nothing}</p>
      ${sources.length > MANY_SOURCES ? this.#filter() : nothing}
      <div class="groups">${this.#groups(checked)}</div>
      ${unavailable.map(state => html`<p class="small unavailable"><strong>${state.source}</strong> can’t be listed: ${state.detail || state.status}</p>`)}`;
  }

  #summary(count) {
    const all = this.catalogue.sources.length;
    if (!all) return 'There is nothing that you may search.';
    if (!this.chosen.length) return all === 1 ? 'One source' : `All ${counted(all, 'source')}`;
    return `${count} of ${counted(all, 'source')}`;
  }

  #filter() {
    return html`<input type="search" class="filter" placeholder="Filter sources" aria-label="Filter sources"
      .value=${this.wanted} @input=${e => (this.wanted = e.target.value)}>`;
  }

  #groups(checked) {
    const shown = withWords(this.catalogue.sources, this.wanted);
    if (this.wanted && !shown.length) return html`<p class="muted small">No source has these words.</p>`;
    return [...Map.groupBy(shown, entry => entry.backend)].map(([backend, entries]) => this.#group(backend, entries, checked));
  }

  #group(backend, entries, checked) {
    const count = entries.filter(entry => checked.has(entry.source)).length;
    return html`<fieldset>
      <legend><label class="check"><input type="checkbox" .checked=${count === entries.length}
        .indeterminate=${count > 0 && count < entries.length}
        @change=${e => this.#toggle(entries, e.target.checked, checked)}> ${backend}</label></legend>
      ${entries.map(entry => this.#source(entry, checked))}
    </fieldset>`;
  }

  #source(entry, checked) {
    const facts = [
      entry.documents === undefined ? '' : `${compact(entry.documents)} ${entry.documents === 1 ? 'document' : 'documents'}`,
      entry.updated ? day(entry.updated) : '',
    ].filter(Boolean).join(' · ');
    return html`<label class="check source"><input type="checkbox" .checked=${checked.has(entry.source)}
        @change=${e => this.#toggle([entry], e.target.checked, checked)}>
      <span><span class="source-name">${entry.name}</span>
        ${entry.description ? html`<span class="description" title=${entry.description}>${entry.description}</span>` : nothing}
        ${facts ? html`<span class="facts" title=${entry.updated ? `Last change: ${entry.updated}` : nothing}>${facts}</span>` : nothing}</span></label>`;
  }

  #toggle(entries, on, checked) {
    const names = new Set(checked);
    entries.forEach(entry => (on ? names.add(entry.source) : names.delete(entry.source)));
    const chosen = [...Map.groupBy(this.catalogue.sources, entry => entry.backend)].flatMap(([backend, all]) => {
      const some = all.map(entry => entry.source).filter(name => names.has(name));
      return some.length === all.length && all.length > 1 ? [backend] : some;
    });
    this.#send(chosen);
  }

  #send(chosen) {
    this.dispatchEvent(new CustomEvent('change-sources', { detail: chosen, bubbles: true }));
  }
}

customElements.define('source-picker', SourcePicker);
