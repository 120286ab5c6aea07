import { LitElement, html, nothing } from 'lit';
import { DETAILS, parseFilters } from './search-state.js';

/** Options that both configurations share: filters and, unless it is without, detail. Sends `change-options` with what changed. */
class SearchOptions extends LitElement {
  static properties = { detail: {}, filters: {}, error: {}, catalogue: {}, withoutDetail: { type: Boolean }, wrong: { state: true } };

  constructor() {
    super();
    this.wrong = '';
    this.withoutDetail = false;
    this.unfolded = false;
  }

  createRenderRoot() {
    return this;
  }

  /** Opens itself for what one has to see, and never closes itself. */
  willUpdate(changed) {
    if (changed.has('filters')) this.wrong = '';
    if (this.wrong || this.error || this.filters) this.unfolded = true;
  }

  render() {
    const error = this.wrong || this.error;
    return html`<details class="fold" ?open=${this.unfolded}>
      <summary><span>${this.withoutDetail ? 'Filters' : 'Filters and detail'}</span><span class="now">${this.#now()}</span></summary>
      <div class="field"><label for="filters">Filters, as JSON</label>
        <textarea id="filters" rows="3" spellcheck="false" autocomplete="off" placeholder=${'{"year": {"gte": 2020}}'} dir="ltr"
          aria-describedby="filters-hint filters-error" aria-invalid=${error ? 'true' : nothing}
          .value=${this.filters} @change=${this.#changed}></textarea>
        <span class="field-error" id="filters-error" role="alert">${error}</span>
        <span class="hint" id="filters-hint">eq, gt, gte, lt, lte; times in ISO 8601.</span>
        ${this.#fields()}</div>
      ${this.withoutDetail ? nothing : this.#detail()}
    </details>`;
  }

  #detail() {
    return html`<div class="field"><label for="detail">Detail of each hit</label>
      <select id="detail" @change=${e => this.#send({ detail: e.target.value })}>
        ${DETAILS.map(detail => html`<option value=${detail} .selected=${detail === this.detail}>${detail}</option>`)}</select></div>`;
  }

  #now() {
    return [this.filters ? 'filtered' : '', this.withoutDetail || this.detail === DETAILS[0] ? '' : this.detail].filter(Boolean).join(' · ') || 'none';
  }

  /** Names of fields that filters may have, from all sources. */
  #fields() {
    const fields = new Map();
    for (const source of this.catalogue.sources) {
      for (const field of source.filter_fields ?? []) fields.set(field.name, field);
    }
    if (!fields.size) return nothing;
    return html`<details class="field-names"><summary class="small">Fields that sources have</summary>
      <ul>${[...fields.values()].slice(0, 100).map(field => html`<li><code>${field.name}</code> <span class="muted small">${(field.types ?? []).join(', ')}</span></li>`)}</ul></details>`;
  }

  #changed(event) {
    const filters = event.target.value.trim();
    try {
      parseFilters(filters);
    } catch (e) {
      this.wrong = e.message;
      return;
    }
    this.wrong = '';
    this.#send({ filters });
  }

  #send(detail) {
    this.dispatchEvent(new CustomEvent('change-options', { detail, bubbles: true }));
  }
}

customElements.define('search-options', SearchOptions);
