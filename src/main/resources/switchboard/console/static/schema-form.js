import { LitElement, html, nothing } from 'lit';
import { isObject, parsed, pretty, same, withValue } from './json-value.js';
import { fieldOf } from './schema.js';
import { problems } from './schema-check.js';
import { MOST_FIELDS, objectFields } from './schema-fields.js';

/**
 * A form for a JSON Schema, and the same value as JSON beside it. What is wrong is said, and nobody is kept from sending it:
 * who gets the value decides. Sends `change-value` with the new value.
 */
class SchemaForm extends LitElement {
  static properties = { name: {}, schema: {}, value: {}, complete: {}, openJson: {}, jsonError: { state: true } };

  #ids = new Map();
  #typed = new Map();
  #chosen = new Map();
  #problems = new Map();
  #written = null;
  #focus = '';

  constructor() {
    super();
    /** Stands in front of the ids of its fields. */
    this.name = 'form';
    this.schema = {};
    this.value = {};
    /** Whether what is missing is said too. */
    this.complete = false;
    this.openJson = false;
    this.jsonError = '';
  }

  createRenderRoot() {
    return this;
  }

  /** Whether the JSON that somebody wrote is none, so that there is nothing to send; it gets the focus then. */
  unreadable() {
    if (!this.jsonError) return false;
    this.querySelector('.json-fold').open = true;
    this.querySelector(`#${this.name}-json`).focus();
    return true;
  }

  willUpdate(changed) {
    if (changed.has('schema')) [this.#typed, this.#chosen].forEach(map => map.clear());
    if (changed.has('schema') || (changed.has('value') && !(this.#written && same(this.#written.value, this.value)))) {
      this.#written = null;
      this.jsonError = '';
    }
    this.#problems = problems(this.value, this.schema);
  }

  updated(changed) {
    if (!changed.has('value')) return;
    const id = this.#focus;
    this.#focus = '';
    if (id) document.getElementById(id)?.focus();
  }

  render() {
    const { kind, schema } = fieldOf(this.schema, this.schema);
    const fields = kind === 'object' && isObject(this.value);
    return html`<div class="schema-fields">${fields ? objectFields(this.#state(), schema, [], this.value) : this.#withoutFields(kind)}</div>
      ${this.#json(!fields && !this.#empty())}`;
  }

  #withoutFields(kind) {
    if (kind === 'object') return html`<p class="field-error">It has to be an object; its fields are shown then.</p>`;
    return html`<p class="muted small">${this.#empty() ? 'It takes no arguments.' : 'Its schema names no fields: write them as JSON.'}</p>`;
  }

  /** Whether there is nothing that may be written. */
  #empty() {
    const { properties = {}, additionalProperties, patternProperties } = this.schema;
    return additionalProperties === false && !patternProperties && !Object.keys(properties).length;
  }

  #json(open) {
    const id = `${this.name}-json`;
    return html`<details class="fold json-fold" ?open=${this.openJson || open}><summary>As JSON</summary><div class="field">
      <label class="unseen" for=${id}>All of it as JSON</label>
      <textarea id=${id} rows="6" spellcheck="false" aria-describedby=${`${id}-error`} aria-invalid=${this.jsonError ? 'true' : nothing}
        .value=${this.#written?.text ?? pretty(this.value)} @input=${this.#write}></textarea>
      <p class="field-error" id=${`${id}-error`}>${this.jsonError || this.#shown('')}</p></div></details>`;
  }

  #state() {
    return {
      root: this.schema,
      left: MOST_FIELDS,
      typed: this.#typed,
      chosen: this.#chosen,
      id: at => this.#id(at),
      problem: at => this.#shown(at),
      change: (path, value, focus = '') => {
        this.#focus = focus;
        this.#send(withValue(this.value, path, value));
      },
    };
  }

  #id(at) {
    if (!this.#ids.has(at)) this.#ids.set(at, `${this.name}-${this.#ids.size}`);
    return this.#ids.get(at);
  }

  #shown(at) {
    const found = this.#problems.get(at);
    return found && (this.complete || !found.missing) ? found.message : '';
  }

  #write(event) {
    const text = event.target.value;
    const { value, error } = parsed(text.trim() === '' ? '{}' : text);
    this.#written = { text, value: error === undefined ? value : this.value };
    this.jsonError = error === undefined ? '' : `Not JSON, so it is not taken: ${error}`;
    if (error === undefined) this.#send(value);
    else this.requestUpdate();
  }

  #send(value) {
    this.value = value; // a second change may come before the page has taken the first
    this.dispatchEvent(new CustomEvent('change-value', { detail: value, bubbles: true }));
  }
}

customElements.define('schema-form', SchemaForm);
