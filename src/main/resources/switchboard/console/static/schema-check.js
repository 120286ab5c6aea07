import { isObject, pointer, same, typeOf } from './json-value.js';
import { resolved } from './schema.js';

const DEEPEST = 40;

/** Schemas that refer to themselves have no end of forms; what was not reached is taken for right. */
const MOST_STEPS = 20_000;

/** Patterns come from others: only those that end soon on any text are tried here. The gateway tries them all. */
const LONGEST_TEXT = 2000;
const REPEATED_GROUP = /\)[*+{]/;
const UNBOUNDED = /[*+]|\{\d+,\}/g;

const FORMATS = {
  date: text => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': text => /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  email: text => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: text => URL.canParse(text),
};

/**
 * What a value has against its schema. It is a help: what is not checked here, the gateway checks.
 *
 * @param {unknown} value
 * @param {unknown} schema
 * @param {object} [root] the document that the schema is part of
 * @returns {Map<string, {message: string, missing: boolean}>} by JSON pointer; `missing` where nothing was written yet
 */
export function problems(value, schema, root = schema) {
  const found = new Map();
  const add = (path, message, missing = false) => {
    const at = pointer(path);
    if (!found.has(at)) found.set(at, { message, missing });
  };
  check(value, schema, { root, left: MOST_STEPS }, [], add, 0);
  return found;
}

function valid(value, schema, context, depth) {
  let good = true;
  check(value, schema, context, [], () => (good = false), depth);
  return good;
}

function check(value, declared, context, path, add, depth) {
  if (declared === false) {
    add(path, 'Nothing may be here.');
    return;
  }
  if (!isObject(declared) || depth > DEEPEST || context.left-- <= 0) return;
  const schema = resolved(declared, context.root);
  const wrong = typeProblem(value, schema) ?? choiceProblem(value, schema) ?? boundsProblem(value, schema);
  if (wrong) {
    add(path, wrong);
    return;
  }
  if (isObject(value)) checkMembers(value, schema, context, path, add, depth);
  if (Array.isArray(value)) checkItems(value, schema, context, path, add, depth);
  checkCombined(value, schema, context, path, add, depth);
}

function typeProblem(value, schema) {
  if (schema.type === undefined) return undefined;
  const types = [schema.type].flat();
  const type = typeOf(value);
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return undefined;
  return `It has to be ${types.map(named).join(' or ')}.`;
}

function named(type) {
  const names = { string: 'text', integer: 'a whole number', number: 'a number', boolean: 'true or false', array: 'a list', object: 'an object', null: 'null' };
  return names[type] ?? String(type);
}

function choiceProblem(value, schema) {
  if (Array.isArray(schema.enum) && !schema.enum.some(one => same(one, value))) return 'It has to be one of the list.';
  return 'const' in schema && !same(schema.const, value) ? `It has to be ${JSON.stringify(schema.const)}.` : undefined;
}

function boundsProblem(value, schema) {
  if (typeof value === 'number') return numberProblem(value, schema);
  if (typeof value === 'string') return textProblem(value, schema);
  if (Array.isArray(value)) return countProblem(value.length, schema.minItems, schema.maxItems, 'item') ?? (schema.uniqueItems && doubles(value) ? 'Two items are the same.' : undefined);
  if (isObject(value)) return countProblem(Object.keys(value).length, schema.minProperties, schema.maxProperties, 'field');
  return undefined;
}

function numberProblem(value, { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }) {
  if (value < minimum) return `At least ${minimum}.`;
  if (value > maximum) return `At most ${maximum}.`;
  if (value <= exclusiveMinimum) return `More than ${exclusiveMinimum}.`;
  if (value >= exclusiveMaximum) return `Less than ${exclusiveMaximum}.`;
  const steps = value / multipleOf;
  if (multipleOf > 0 && Math.abs(steps - Math.round(steps)) > 1e-9) return `A multiple of ${multipleOf}.`;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'A browser can’t keep so many digits.' : undefined;
}

function textProblem(value, { minLength, maxLength, pattern, format }) {
  const count = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  const counted = countProblem(count, minLength, maxLength, 'character');
  if (counted) return counted;
  if (typeof pattern === 'string' && !matches(value, pattern)) return `It has to match ${pattern}.`;
  return Object.hasOwn(FORMATS, format ?? '') && !FORMATS[format](value) ? `It is not written as ${format}.` : undefined;
}

function countProblem(count, least, most, noun) {
  if (count < least) return `At least ${least} ${noun}${least === 1 ? '' : 's'}.`;
  return count > most ? `At most ${most} ${noun}${most === 1 ? '' : 's'}.` : undefined;
}

function matches(value, pattern) {
  const slow = value.length > LONGEST_TEXT || REPEATED_GROUP.test(pattern) || (pattern.match(UNBOUNDED) ?? []).length > 2;
  if (slow) return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function doubles(items) {
  if (items.length > 200) return false;
  return items.some((item, i) => items.slice(i + 1).some(other => same(item, other)));
}

function checkMembers(value, schema, context, path, add, depth) {
  const properties = isObject(schema.properties) ? schema.properties : {};
  (Array.isArray(schema.required) ? schema.required : []).filter(name => !Object.hasOwn(value, name)).forEach(name => add([...path, name], 'It is required.', true));
  for (const [name, one] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) check(one, properties[name], context, [...path, name], add, depth + 1);
    else if (schema.additionalProperties === false && !schema.patternProperties) add([...path, name], 'There is no such field.');
    else if (isObject(schema.additionalProperties)) check(one, schema.additionalProperties, context, [...path, name], add, depth + 1);
  }
  for (const [name, needed] of Object.entries(isObject(schema.dependentRequired) ? schema.dependentRequired : {})) {
    if (Object.hasOwn(value, name)) needed.filter(other => !Object.hasOwn(value, other)).forEach(other => add([...path, other], `It is required with ${name}.`, true));
  }
}

function checkItems(value, schema, context, path, add, depth) {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  value.forEach((item, i) => check(item, first[i] ?? schema.items, context, [...path, i], add, depth + 1));
}

function checkCombined(value, schema, context, path, add, depth) {
  (Array.isArray(schema.allOf) ? schema.allOf : []).forEach(part => check(value, part, context, path, add, depth + 1));
  for (const word of ['anyOf', 'oneOf']) {
    const all = schema[word];
    if (Array.isArray(all) && !all.some(part => valid(value, part, context, depth + 1))) {
      const [only] = all.length === 1 ? all : [];
      if (only) check(value, only, context, path, add, depth + 1);
      else add(path, 'It has none of the forms that are allowed.');
    }
  }
  if (schema.not !== undefined && valid(value, schema.not, context, depth + 1)) add(path, 'It has a form that is not allowed.');
  if (schema.if !== undefined) {
    const then = valid(value, schema.if, context, depth + 1) ? schema.then : schema.else;
    if (then !== undefined) check(value, then, context, path, add, depth + 1);
  }
}
