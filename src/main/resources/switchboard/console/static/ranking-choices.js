import { LitElement, html, nothing } from 'lit';
import { DEFAULTS, FUSIONS, MODES, readWeight } from './search-state.js';
import { expectedSources } from './search-run.js';

const MODE_TEXTS = { hybrid: 'words and vectors', keyword: 'words only', vector: 'vectors only' };
const FUSION_TEXTS = { '': 'as the gateway is set up', linear: 'weighted scores', rrf: 'ranks (rrf)' };

/** How one search ranks: mode, fusion and weights of sources. Sends `change-ranking` with what changed. */
class RankingChoices extends LitElement {
  static properties = { configuration: {}, catalogue: {}, name: {} };

  constructor() {
    super();
    this.configuration = DEFAULTS;
    this.catalogue = { sources: [] };
    this.name = '';
    this.unfolded = false;
  }

  createRenderRoot() {
    return this;
  }

  /** Opens itself for what is changed, and never closes itself. */
  willUpdate() {
    if (this.#changed().length) this.unfolded = true;
  }

  render() {
    const { mode, fusion } = this.configuration;
    return html`<details class="fold" ?open=${this.unfolded}>
      <summary><span>Ranking</span><span class="now">${this.#changed().join(' · ') || 'as by default'}</span></summary>
      <div class="numbers">
        ${this.#choice('mode', 'Mode', MODES, MODE_TEXTS, mode)}
        ${this.#choice('fusion', 'Fusion', FUSIONS, FUSION_TEXTS, fusion)}
      </div>
      ${this.#weights()}
    </details>`;
  }

  #changed() {
    const { mode, fusion, weights } = this.configuration;
    return [
      mode === DEFAULTS.mode ? '' : MODE_TEXTS[mode],
      fusion ? FUSION_TEXTS[fusion] : '',
      ...Object.entries(weights).map(([source, weight]) => `${source} × ${weight}`),
    ].filter(Boolean);
  }

  #choice(name, label, values, texts, chosen) {
    const id = `${name}-${this.name || 'only'}`;
    return html`<div class="field"><label for=${id}>${label}</label>
      <select id=${id} @change=${e => this.#send({ [name]: e.target.value })}>
        ${values.map(value => html`<option value=${value} .selected=${value === chosen}>${texts[value]}</option>`)}</select></div>`;
  }

  #weights() {
    const { sources, weights } = this.configuration;
    const all = [...new Set([...expectedSources(this.catalogue.sources, sources), ...Object.keys(weights)])];
    if (!all.length) return nothing;
    return html`<fieldset class="weights"><legend>Weights</legend>
      <p class="hint">Factors from 0 to 100. Empty: as the gateway is set up.</p>
      ${all.map((source, i) => this.#weight(source, `weight-${this.name || 'only'}-${i}`, weights[source]))}</fieldset>`;
  }

  #weight(source, id, weight) {
    return html`<div class="weight"><label for=${id}><bdi>${source}</bdi></label>
      <input id=${id} type="number" inputmode="decimal" min="0" max="100" step="any"
        .value=${weight ?? ''} @change=${e => this.#weigh(source, e.target)}></div>`;
  }

  #weigh(source, field) {
    const { [source]: before, ...others } = this.configuration.weights;
    const weight = readWeight(field.value);
    field.value = weight ?? '';
    if (weight !== before) this.#send({ weights: weight === undefined ? others : { ...others, [source]: weight } });
  }

  #send(detail) {
    this.dispatchEvent(new CustomEvent('change-ranking', { detail, bubbles: true }));
  }
}

customElements.define('ranking-choices', RankingChoices);
