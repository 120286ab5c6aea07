import { LitElement, html } from 'lit';
import { DEFAULTS, readNumber } from './search-state.js';
import { expectedSources } from './search-run.js';
import './ranking-choices.js';
import './source-picker.js';

const FIELDS = [
  { name: 'limit', label: 'Hits', hint: 'At most 100', min: 1, max: 100, step: 1 },
  { name: 'per_document', label: 'Per document', hint: '0: no limit', min: 0, max: 100, step: 1 },
  { name: 'min_relevance', label: 'Least relevance', hint: '0 to 1; 0: all', min: 0, max: 1, step: 0.05 },
  { name: 'deadline_ms', label: 'Deadline in ms', hint: 'Empty: the gateway’s', min: 50, max: 60000, step: 50 },
];

/** Sources, ranking and limits of one search. Sends `change-configuration` with the whole new configuration. */
class ConfigurationForm extends LitElement {
  static properties = { configuration: {}, catalogue: {}, name: {}, open: { type: Boolean } };

  constructor() {
    super();
    this.configuration = DEFAULTS;
    this.catalogue = null;
    this.name = '';
    this.open = false;
    this.unfolded = false;
  }

  createRenderRoot() {
    return this;
  }

  /** Opens itself for what is changed, and never closes itself. */
  willUpdate() {
    if (this.#changedNumbers().length) this.unfolded = true;
  }

  render() {
    return html`
      <details class="fold" ?open=${this.open}>
        <summary><span>Sources</span><span class="now">${this.#sources()}</span></summary>
        <source-picker .catalogue=${this.catalogue} .chosen=${this.configuration.sources}
          @change-sources=${e => this.#choose(e.detail)}></source-picker>
      </details>
      <ranking-choices .configuration=${this.configuration} .catalogue=${this.catalogue} .name=${this.name}
        @change-ranking=${e => this.#change(e.detail)}></ranking-choices>
      <details class="fold" ?open=${this.unfolded}>
        <summary><span>Limits</span><span class="now">${this.#changedNumbers().join(' · ') || 'as by default'}</span></summary>
        <div class="numbers">${FIELDS.map(field => this.#field(field))}</div>
      </details>`;
  }

  /** Weights of what is not searched any more go, too: the gateway would refuse them. */
  #choose(sources) {
    const asked = expectedSources(this.catalogue.sources, sources);
    // What can't be listed now may be there when it is searched.
    const silent = this.catalogue.unavailable.map(state => state.source)
      .filter(source => !sources.length || sources.some(one => within(one, source) || within(source, one)));
    const weights = Object.entries(this.configuration.weights)
      .filter(([name]) => asked.some(source => within(source, name)) || silent.some(source => within(source, name) || within(name, source)));
    this.#change({ sources, weights: Object.fromEntries(weights) });
  }

  #sources() {
    const { sources } = this.configuration;
    return sources.length ? sources.join(', ') : 'all';
  }

  #changedNumbers() {
    return FIELDS.filter(({ name }) => this.configuration[name] !== DEFAULTS[name])
      .map(({ name, label }) => `${label.toLowerCase()} ${this.configuration[name]}`);
  }

  #field({ name, label, hint, min, max, step }) {
    const id = `${name}-${this.name || 'only'}`;
    return html`<div class="field"><label for=${id}>${label}</label>
      <input id=${id} type="number" inputmode="decimal" min=${min} max=${max} step=${step} aria-describedby="${id}-hint"
        .value=${this.configuration[name] ?? ''} @change=${e => this.#number(name, e.target)}>
      <span class="hint" id="${id}-hint">${hint}</span></div>`;
  }

  #number(name, field) {
    const value = readNumber(name, field.value);
    field.value = value ?? '';
    if (value !== this.configuration[name]) this.#change({ [name]: value });
  }

  #change(part) {
    const detail = { ...this.configuration, ...part };
    this.dispatchEvent(new CustomEvent('change-configuration', { detail, bubbles: true }));
  }
}

/** Whether `source` is `whole`, or one of it. */
function within(source, whole) {
  return source === whole || source.startsWith(`${whole}:`);
}

customElements.define('configuration-form', ConfigurationForm);
