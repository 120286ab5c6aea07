/** With more sources than this there is a field to filter them. */
export const MANY_SOURCES = 8;

/**
 * The sources whose name or description has all words.
 *
 * @param {object[]} sources
 * @param {string} wanted
 * @returns {object[]}
 */
export function withWords(sources, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return sources.filter(entry => {
    const text = `${entry.source} ${entry.description}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}
