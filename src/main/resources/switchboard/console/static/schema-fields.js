import { html, nothing } from 'lit';
import { icons } from './icons.js';
import { isObject, member, parsed, pointer, pretty, same } from './json-value.js';
import { boundsOf, emptyValue, fieldOf, kindName, variantOf } from './schema.js';

/** Objects within objects are fields down to here, and so are forms within forms; below is JSON. Schemas may refer to themselves. */
const DEEPEST = 8;
const DEEPEST_FORM = 3;

/** After so many fields, only JSON is left for what has more of them. */
export const MOST_FIELDS = 400;

/**
 * The state of a form, which its fields read and change.
 *
 * @typedef {object} FormState
 * @property {object} root the schema
 * @property {number} left how many more fields there may be
 * @property {(path: (string | number)[], value: unknown, focus?: string) => void} change `focus` is the id of what gets it
 * @property {(pointer: string) => string} id of what belongs to a field
 * @property {(pointer: string) => string} problem empty for none
 * @property {Map<string, string>} typed what somebody wrote into a field, as long as the value is that of the text
 * @property {Map<string, number>} chosen which of several forms of a value somebody chose
 */

/**
 * The fields of an object.
 *
 * @param {FormState} form
 * @param {object} schema with `properties`
 * @param {(string | number)[]} path
 * @param {unknown} value
 */
export function objectFields(form, schema, path, value) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = Object.entries(schema.properties);
  const fields = properties.map(([name, one]) => field(form, one, [...path, name], member(value, name), { label: name, required: required.has(name) }));
  return html`${fields}${otherFields(form, schema, path, value)}`;
}

/** What an object has, or may have, beside its named fields. */
function otherFields(form, schema, path, value) {
  const others = isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(schema.properties, name))) : {};
  const allowed = schema.additionalProperties === true || isObject(schema.additionalProperties) || isObject(schema.patternProperties);
  if (!allowed && !Object.keys(others).length) return nothing;
  const at = `${pointer(path)}/`;
  const named = isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(schema.properties, name))) : {};
  const change = to => form.change(path, isObject(to) ? { ...named, ...to } : named);
  const shown = Object.keys(others).length ? others : undefined;
  return framed(form, at, { label: 'Other fields', kind: 'JSON' }, jsonArea(form, at, shown, change));
}

function field(form, declared, path, value, facts) {
  const found = fieldOf(declared, form.root);
  const deep = path.length > DEEPEST || facts.inner > DEEPEST_FORM || form.left-- <= 0;
  if (deep && ['object', 'array', 'variants'].includes(found.kind)) found.kind = 'json';
  const more = { ...facts, found, schema: found.schema, emptied: facts.item ? '' : undefined };
  switch (found.kind) {
    case 'object':
      return objectField(form, path, value, more);
    case 'array':
      return arrayField(form, path, value, more);
    case 'choices':
      return choicesField(form, path, value, more);
    case 'variants':
      return variantsField(form, path, value, more);
    default: {
      const at = pointer(path);
      const isNull = value === null && found.nullable;
      const control = CONTROLS[found.kind](form, at, isNull ? undefined : value, to => form.change(path, to), more);
      return framed(form, at, more, html`${control}${nullBox(form, path, value, more)}`);
    }
  }
}

/** A field with its label, what it means, and what is wrong with it. */
function framed(form, at, { label, required, item, inner, found, schema = {}, kind }, control) {
  const id = form.id(at);
  return html`<div class="field" data-field=${at}>
    <label for=${id} class=${item || inner ? 'unseen' : ''}>${labelText(label, schema, required)} <span class="kind">${kind ?? kindName(found)}</span></label>
    ${control}${notes(form, at, schema)}</div>`;
}

function labelText(label, schema, required) {
  const title = typeof schema.title === 'string' && schema.title !== label ? schema.title : '';
  return html`${title ? html`<span dir="auto">${title}</span> <code dir="auto">${label}</code>` : html`<span dir="auto">${label}</span>`}
    ${required ? html`<span class="tag">required</span>` : nothing}`;
}

function notes(form, at, schema) {
  const facts = [...boundsOf(schema), schema.default === undefined ? '' : `by default ${JSON.stringify(schema.default)}`].filter(Boolean).join(' · ');
  const id = form.id(at);
  return html`<p class="hint" id=${`${id}-hint`}>${schema.description ? html`<span dir="auto">${schema.description}</span> ` : nothing}${facts ? html`<span class="bounds" dir="auto">${facts}</span>` : nothing}</p>
    <p class="field-error" id=${`${id}-error`}>${form.problem(at)}</p>`;
}

/** Where `null` is something else than nothing. */
function nullBox(form, path, value, { found, schema, required, item, label }) {
  const differs = required || item || (schema.default !== undefined && schema.default !== null);
  if (!found.nullable || (!differs && value !== null)) return nothing;
  return html`<label class="check small null-box"><input type="checkbox" .checked=${value === null} aria-label=${`${label}: null`}
    @change=${e => form.change(path, e.target.checked ? null : item ? emptyValue(schema, form.root) : undefined)}> <code>null</code></label>`;
}

const CONTROLS = {
  text: (form, at, value, change, facts) => textInput(form, at, value, change, facts),
  long: (form, at, value, change, { emptied, schema }) => html`<textarea class="text" rows="1" dir="auto" spellcheck="false" id=${form.id(at)} placeholder=${placeholder(schema)}
    aria-describedby=${described(form, at)} aria-invalid=${invalid(form, at)} .value=${textOf(value)} @input=${e => change(e.target.value === '' ? emptied : e.target.value)}></textarea>`,
  date: (form, at, value, change, facts) => (value === undefined || value === '' || /^\d{4}-\d\d-\d\d$/.test(value)
    ? timeInput(form, at, 'date', value ?? '', change, facts, text => text) : textInput(form, at, value, change, facts)),
  'date-time': (form, at, value, change, facts) => (value === undefined || value === '' || localTime(value)
    ? timeInput(form, at, 'datetime-local', value ? localTime(value) : '', change, facts, text => new Date(text).toISOString()) : textInput(form, at, value, change, facts)),
  number: (form, at, value, change, { emptied, schema }) => html`<input inputmode=${schema.type === 'integer' ? 'numeric' : 'decimal'} autocomplete="off" id=${form.id(at)}
    placeholder=${placeholder(schema)} aria-describedby=${described(form, at)} aria-invalid=${invalid(form, at)}
    .value=${written(form, at, value, toNumber, textOf)} @input=${e => type(form, at, e.target.value, toNumber, change, emptied)}>`,
  boolean: (form, at, value, change, { required }) => select(form, at, value, change, { required, options: [{ value: true, label: 'true' }, { value: false, label: 'false' }] }),
  choice: (form, at, value, change, { required, found }) => select(form, at, value, change, { required, options: found.options }),
  json: (form, at, value, change) => jsonArea(form, at, value, change),
};

function textInput(form, at, value, change, { emptied, schema }) {
  return html`<input autocomplete="off" spellcheck="false" dir="auto" id=${form.id(at)} placeholder=${placeholder(schema)} aria-describedby=${described(form, at)}
    aria-invalid=${invalid(form, at)} .value=${textOf(value)} @input=${e => change(e.target.value === '' ? emptied : e.target.value)}>`;
}

function timeInput(form, at, kind, text, change, { emptied }, toValue) {
  return html`<input type=${kind} step=${kind === 'date' ? nothing : '1'} max=${kind === 'date' ? '9999-12-31' : '9999-12-31T23:59:59'} id=${form.id(at)} aria-describedby=${described(form, at)}
    aria-invalid=${invalid(form, at)} .value=${text} @change=${e => change(e.target.value === '' ? emptied : toValue(e.target.value))}>`;
}

function select(form, at, value, change, { required, options }) {
  const chosen = options.findIndex(option => same(option.value, value));
  const other = value !== undefined && chosen < 0;
  const none = required ? 'Choose …' : 'Not set';
  return html`<select id=${form.id(at)} aria-describedby=${described(form, at)} aria-invalid=${invalid(form, at)}
      @change=${e => change(options[e.target.value]?.value)}>
    <option value="" .selected=${value === undefined}>${none}</option>
    ${other ? html`<option value="other" .selected=${true}>${JSON.stringify(value)}</option>` : nothing}
    ${options.map((option, i) => html`<option value=${i} .selected=${i === chosen}>${option.label}</option>`)}</select>`;
}

function jsonArea(form, at, value, change) {
  return html`<textarea rows="2" spellcheck="false" id=${form.id(at)} placeholder="JSON" aria-describedby=${described(form, at)} aria-invalid=${invalid(form, at)}
    .value=${written(form, at, value, toJson, pretty)} @input=${e => type(form, at, e.target.value, toJson, change)}></textarea>`;
}

/** What is no JSON is text; so it can be sent, and the gateway says what it thinks of it. */
function toJson(text) {
  const { value, error } = parsed(text);
  return error === undefined ? value : text;
}

function toNumber(text) {
  return /^\s*-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}

function type(form, at, text, read, change, emptied) {
  form.typed.set(at, text);
  change(text.trim() === '' ? emptied : read(text));
}

/** What somebody wrote, if that is the value; otherwise the value as text. */
function written(form, at, value, read, show) {
  const text = form.typed.get(at);
  if (text !== undefined && text.trim() !== '' && same(read(text), value)) return text;
  return show(value);
}

function textOf(value) {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function localTime(iso) {
  const date = new Date(iso);
  if (typeof iso !== 'string' || Number.isNaN(date.getTime()) || date.getFullYear() > 9999 || date.getFullYear() < 1) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function placeholder(schema) {
  if (schema.default !== undefined && schema.default !== null) return textOf(schema.default);
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  return example === undefined ? '' : `for example ${textOf(example)}`;
}

function described(form, at) {
  return `${form.id(at)}-hint ${form.id(at)}-error`;
}

function invalid(form, at) {
  return form.problem(at) ? 'true' : nothing;
}

/** A group of fields. */
function group(form, path, { label, required, found, schema, kind }, content, at = pointer(path)) {
  return html`<fieldset class="group" data-field=${at} aria-describedby=${described(form, at)}>
    <legend>${labelText(label, schema, required)} <span class="kind">${kind ?? kindName(found)}</span></legend>${notes(form, at, schema)}${content}</fieldset>`;
}

function objectField(form, path, value, facts) {
  const id = form.id(pointer(path));
  if (value === undefined && !facts.required && !facts.item) {
    return group(form, path, facts, html`<div><button type="button" id=${id} aria-label=${`Add ${facts.label}`} @click=${() => form.change(path, emptyValue(facts.schema, form.root), id)}>Add</button></div>`);
  }
  if (value !== undefined && !isObject(value)) return asJson(form, path, value, facts);
  return group(form, path, facts, html`${objectFields(form, facts.schema, path, value)}
    ${facts.required || facts.item ? nothing : html`<div><button type="button" class="quiet" id=${id} aria-label=${`Remove ${facts.label}`} @click=${() => form.change(path, undefined, id)}>Remove</button></div>`}`);
}

/** A value that is none of what its schema says: only JSON can show it. */
function asJson(form, path, value, facts) {
  const at = pointer(path);
  return framed(form, at, facts, jsonArea(form, at, value, to => form.change(path, to)));
}

function arrayField(form, path, value, facts) {
  if (value !== undefined && value !== null && !Array.isArray(value)) return asJson(form, path, value, facts);
  const items = value ?? [];
  const id = form.id(pointer(path));
  const schema = facts.schema.items;
  const add = () => form.change([...path, items.length], emptyValue(schema, form.root), form.id(pointer([...path, items.length])));
  const remove = i => form.change([...path], items.length > 1 || facts.required || facts.item ? items.filter((_, at) => at !== i) : undefined, id);
  return group(form, path, facts, html`${items.map((item, i) => html`<div class="item">
      ${field(form, schema, [...path, i], item, { label: `${facts.label} ${i + 1}`, item: true, required: false })}
      <button type="button" class="quiet icon-only" aria-label=${`Remove ${facts.label} ${i + 1}`} @click=${() => remove(i)}>${icons.remove}</button></div>`)}
    <div><button type="button" id=${id} aria-label=${`Add to ${facts.label}`} @click=${add}>Add</button></div>${nullBox(form, path, value, facts)}`);
}

function choicesField(form, path, value, facts) {
  if (value !== undefined && value !== null && !Array.isArray(value)) return asJson(form, path, value, facts);
  const { options } = facts.found;
  const on = option => (value ?? []).some(one => same(one, option.value));
  const toggle = (option, checked) => {
    const known = options.filter(one => (one === option ? checked : on(one))).map(one => one.value);
    const unknown = (value ?? []).filter(one => !options.some(known => same(known.value, one)));
    const all = [...known, ...unknown];
    form.change(path, all.length || facts.required || facts.item ? all : undefined);
  };
  return group(form, path, facts, html`<div class="choices">${options.map(option => html`<label class="check"><input type="checkbox" .checked=${on(option)}
    @change=${e => toggle(option, e.target.checked)}> <span dir="auto">${option.label}</span></label>`)}</div>`);
}

function variantsField(form, path, value, facts) {
  const { variants } = facts.found;
  const at = pointer(path);
  const fitting = value === undefined || value === null ? -1 : variantOf(variants, value, form.root);
  const remembered = form.chosen.get(at) ?? 0;
  // Text that was typed into a field for a number is still in that field.
  const chosen = fitting < 0 || variantOf([variants[remembered]], value, form.root) === 0 ? remembered : fitting;
  const names = variants.map((variant, i) => (typeof variant.title === 'string' ? variant.title : nameOf(variant, form.root, i)));
  const choose = i => {
    form.chosen.set(at, i);
    form.change(path, value === undefined ? undefined : emptyValue(variants[i], form.root));
  };
  return group(form, path, facts, html`<div class="variant"><label for=${`${form.id(at)}-variant`} class="small">Form</label>
      <select id=${`${form.id(at)}-variant`} @change=${e => choose(Number(e.target.value))}>${names.map((name, i) => html`<option value=${i} .selected=${i === chosen}>${name}</option>`)}</select></div>
    ${field(form, { ...variants[chosen], default: undefined }, path, value === null ? undefined : value, { ...facts, inner: (facts.inner ?? 0) + 1 })}
    ${nullBox(form, path, value, facts)}`, `${at}?`);
}

function nameOf(variant, root, i) {
  const found = fieldOf(variant, root);
  return found.kind === 'variants' ? `form ${i + 1}` : kindName(found);
}
