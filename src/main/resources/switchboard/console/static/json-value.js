/**
 * A copy of a JSON value in which the value at `path` is another one.
 *
 * @param {unknown} value
 * @param {(string | number)[]} path names of members and places in arrays
 * @param {unknown} to undefined takes a member of an object, or an item of an array, away
 */
export function withValue(value, path, to) {
  if (!path.length) return to;
  const [first, ...rest] = path;
  if (typeof first === 'number') {
    const items = Array.isArray(value) ? [...value] : [];
    const item = withValue(items[first], rest, to);
    if (item === undefined) items.splice(first, 1);
    else items[first] = item;
    return items;
  }
  const { [first]: before, ...others } = isObject(value) ? value : {};
  const member = withValue(before, rest, to);
  if (member === undefined) return others;
  // A changed member stays where it was.
  return isObject(value) && Object.hasOwn(value, first) ? { ...value, [first]: member } : { ...others, [first]: member };
}

/** Whether a JSON value is an object: neither null nor an array. */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of an object; undefined if it has none of its own. */
export function member(value, name) {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether two JSON values are the same; the order of members doesn't matter. */
export function same(a, b) {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && same(a[name], b[name]));
}

/**
 * The type of a JSON value in the words of JSON Schema; `integer` for whole numbers.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

/** The JSON pointer of a path. */
export function pointer(path) {
  return path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * A JSON text.
 *
 * @param {string} text
 * @returns {{value?: unknown, error?: string}}
 */
export function parsed(text) {
  try {
    return { value: JSON.parse(text) };
  } catch (e) {
    return { error: e.message };
  }
}

/** A value as people read it, on several lines; empty for undefined. */
export function pretty(value) {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
