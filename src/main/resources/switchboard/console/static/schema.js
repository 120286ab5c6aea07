import { isObject, member, same, typeOf } from './json-value.js';

/** A schema that refers to itself ends somewhere. */
const MOST_REFERENCES = 32;
const DEEPEST = 8;

/** Strings that may be longer are written in a field that has several lines. */
const LONG = 256;

/** Words of a schema that say what it is for, and not what it allows. */
const NOTES = ['title', 'description', 'default'];

/**
 * A schema without references: what `$ref` leads to, with what stands beside it. Only references within the document are followed.
 *
 * @param {unknown} schema
 * @param {object} root the document
 * @returns {object}
 */
export function resolved(schema, root) {
  let current = isObject(schema) ? schema : {};
  for (let i = 0; typeof current.$ref === 'string' && i < MOST_REFERENCES; i++) {
    const { $ref, ...beside } = current;
    const target = find($ref, root);
    if (!isObject(target)) return beside;
    current = { ...target, ...beside };
  }
  return current;
}

function find(reference, root) {
  if (!reference.startsWith('#')) return undefined;
  const fragment = decoded(reference.slice(1));
  if (fragment === '') return root;
  if (!fragment.startsWith('/')) return Object.values(member(root, '$defs') ?? {}).find(one => one?.$anchor === fragment);
  return fragment.slice(1).split('/').reduce((value, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return Array.isArray(value) ? value[name] : member(value, name);
  }, root);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The types that a schema names, without `null`. */
function typesOf(schema) {
  return [schema.type ?? []].flat().filter(type => typeof type === 'string' && type !== 'null');
}

/**
 * How a value of a schema is edited.
 *
 * @param {unknown} schema
 * @param {object} root the document that it is part of
 * @returns {{kind: string, schema: object, nullable: boolean, options?: {value: unknown, label: string}[], variants?: object[]}} `kind` is one of
 *   `text`, `long`, `date`, `date-time`, `number`, `boolean`, `choice` (one of `options`), `choices` (several of them), `array`, `object`,
 *   `variants` (of which one is chosen), `json`
 */
export function fieldOf(schema, root) {
  const { schema: plain, nullable } = withoutNull(merged(resolved(schema, root), root), root);
  const options = optionsOf(plain);
  if (options) return { kind: 'choice', schema: plain, nullable, options };
  const variants = variantsOf(plain);
  if (variants.length > 1) return { kind: 'variants', schema: plain, nullable, variants };
  return { ...plainField(plain, root), nullable };
}

/** What `allOf` adds, as far as a form needs it: fields, and which of them are required. */
function merged(schema, root) {
  if (!Array.isArray(schema.allOf)) return schema;
  return schema.allOf.map(part => resolved(part, root)).reduce((all, part) => {
    const joined = { ...part, ...all };
    if (part.properties || all.properties) joined.properties = { ...part.properties, ...all.properties };
    const required = [...list(all.required), ...list(part.required)];
    if (required.length) joined.required = [...new Set(required)];
    return joined;
  }, schema);
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

/** Without the choice that is `null`, which is no field of its own. */
function withoutNull(schema, root, depth = 0) {
  for (const word of ['anyOf', 'oneOf']) {
    if (!Array.isArray(schema[word])) continue;
    const all = schema[word].map(one => resolved(one, root));
    const rest = all.filter(one => one.type !== 'null' && !('const' in one && one.const === null));
    const nullable = rest.length < all.length;
    if (rest.length === 1 && depth < DEEPEST) {
      const { [word]: _, ...beside } = schema;
      const inner = withoutNull(merged({ ...rest[0], ...beside }, root), root, depth + 1);
      return { schema: inner.schema, nullable: nullable || inner.nullable };
    }
    return { schema: { ...schema, [word]: rest }, nullable };
  }
  const nullable = [schema.type].flat().includes('null') || list(schema.enum).includes(null);
  return { schema, nullable };
}

/** The values of which one is to be chosen; undefined if that is not what the schema says. */
function optionsOf(schema) {
  if (Array.isArray(schema.enum)) {
    const names = list(schema.enumNames);
    return schema.enum.map((value, i) => ({ value, label: typeof names[i] === 'string' ? names[i] : shown(value) })).filter(({ value }) => value !== null);
  }
  if ('const' in schema) return [{ value: schema.const, label: shown(schema.const) }];
  const constants = [schema.oneOf, schema.anyOf].find(all => Array.isArray(all) && all.length && all.every(one => isObject(one) && 'const' in one));
  return constants?.map(one => ({ value: one.const, label: typeof one.title === 'string' ? one.title : shown(one.const) }));
}

function shown(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The forms that a value may have, each a schema. */
function variantsOf(schema) {
  const all = [schema.anyOf, schema.oneOf].find(Array.isArray)?.filter(isObject);
  if (all?.some(one => one.type || one.$ref || one.enum)) {
    const { anyOf: _, oneOf: __, ...beside } = schema;
    NOTES.forEach(note => delete beside[note]);
    return all.map(one => ({ ...beside, ...one }));
  }
  const types = typesOf(schema);
  return types.length > 1 ? types.map(type => ({ ...schema, type })).map(withoutNotes) : [];
}

function withoutNotes(schema) {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !NOTES.includes(name)));
}

function plainField(schema, root) {
  const type = typesOf(schema)[0] ?? (schema.properties ? 'object' : schema.items ? 'array' : '');
  switch (type) {
    case 'string':
      if (['date', 'date-time'].includes(schema.format)) return { kind: schema.format, schema };
      return { kind: (schema.maxLength ?? LONG + 1) > LONG && !schema.format ? 'long' : 'text', schema };
    case 'number':
    case 'integer':
      return { kind: 'number', schema };
    case 'boolean':
      return { kind: 'boolean', schema };
    case 'array':
      return arrayField(schema, root);
    case 'object':
      return isObject(schema.properties) && Object.keys(schema.properties).length ? { kind: 'object', schema } : { kind: 'json', schema };
    default:
      return { kind: 'json', schema };
  }
}

function arrayField(schema, root) {
  if (!isObject(schema.items) || schema.prefixItems) return { kind: 'json', schema };
  const options = optionsOf(withoutNull(resolved(schema.items, root), root).schema);
  return options ? { kind: 'choices', schema, options } : { kind: 'array', schema };
}

/**
 * Which of several forms a value has: the first one whose type it is.
 *
 * @param {object[]} variants
 * @returns {number} -1 if there is none
 */
export function variantOf(variants, value, root) {
  return variants.findIndex(variant => {
    const schema = resolved(variant, root);
    if ('const' in schema) return same(schema.const, value);
    if (Array.isArray(schema.enum)) return schema.enum.some(one => same(one, value));
    const types = typesOf(schema);
    const type = typeOf(value);
    return !types.length || types.includes(type) || (type === 'integer' && types.includes('number'));
  });
}

/** What a new item of an array is, or a field that somebody adds, before anything is written. */
export function emptyValue(schema, root, depth = 0) {
  const { kind, schema: plain, options, variants } = fieldOf(schema, root);
  if (plain.default !== undefined) return plain.default;
  switch (kind) {
    case 'object':
      return withDefaults(plain, root);
    case 'array':
    case 'choices':
      return [];
    case 'choice':
      return options[0]?.value ?? null;
    case 'boolean':
      return false;
    case 'number':
      return Number.isFinite(plain.minimum) ? plain.minimum : 0;
    case 'variants':
      return depth < DEEPEST ? emptyValue(variants[0], root, depth + 1) : null;
    case 'json':
      return typesOf(plain)[0] === 'array' ? [] : {};
    default:
      return '';
  }
}

/**
 * An object that has the defaults of its fields.
 *
 * @param {object} schema
 * @param {object} root
 * @returns {object}
 */
export function withDefaults(schema, root) {
  const found = Object.entries(schema.properties ?? {})
    .map(([name, one]) => [name, resolved(one, root).default])
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(found);
}

/** What a schema calls the kind of its values, in a few words. */
export function kindName({ kind, schema }) {
  switch (kind) {
    case 'long':
    case 'text':
      return schema.format ?? 'text';
    case 'number':
      return typesOf(schema)[0];
    case 'choice':
      return 'one of the list';
    case 'choices':
      return 'several of the list';
    case 'array':
      return 'list';
    case 'object':
      return 'object';
    case 'boolean':
      return 'true or false';
    case 'json':
      return typesOf(schema)[0] === 'array' ? 'list' : typesOf(schema)[0] ?? 'any value';
    default:
      return kind === 'variants' ? 'several forms' : kind;
  }
}

/** What bounds a value has, in words. */
export function boundsOf(schema) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    range(minimum, maximum, ''),
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? '' : `less than ${exclusiveMaximum}`,
    multipleOf === undefined ? '' : `a multiple of ${multipleOf}`,
    range(minLength || undefined, maxLength, ' characters'),
    range(minItems || undefined, maxItems, ' items'),
    pattern === undefined ? '' : `matches ${pattern}`,
  ].filter(Boolean);
}

function range(least, most, unit) {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `at least ${least}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
}
