import { number } from './format.js';

/** With fewer queries an interval says little. */
const FEW = 20;

/** A measure from 0 to 1, or a difference of two. */
export const measure = value => value.toFixed(3);

/** A difference with its sign. */
export const signed = value => {
  const text = measure(Math.abs(value));
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
};

/** A share in percent. */
export const percent = value => `${Math.round(value * 100)} %`;

/**
 * What a difference means, in a sentence.
 *
 * @param {{mean: number, low: number, high: number, p: number}} difference of B to A
 * @returns {{kind: 'better' | 'worse' | 'chance' | 'same', text: string}}
 */
export function verdictOf({ mean, low, high, p }) {
  if (low === 0 && high === 0) return { kind: 'same', text: 'A and B give the same for every query.' };
  if (low > 0) return { kind: 'better', text: `B is better by ${measure(mean)} (95 %: ${measure(low)} to ${measure(high)}; ${chance(p)}).` };
  if (high < 0) return { kind: 'worse', text: `A is better by ${measure(-mean)} (95 %: ${measure(-high)} to ${measure(-low)}; ${chance(p)}).` };
  return { kind: 'chance', text: `No difference that could not be chance: B − A is ${signed(mean)} (95 %: ${signed(low)} to ${signed(high)}; ${chance(p)}).` };
}

/**
 * What one should know of a set before one believes the figures.
 *
 * @param {number} queries
 * @returns {string} empty if there is nothing to say
 */
export function warningOf(queries) {
  return queries < FEW ? `The set has ${queries === 1 ? '1 query' : `${number(queries)} queries`} only: judge more before you decide.` : '';
}

function chance(p) {
  return p < 0.001 ? 'p < 0.001' : `p = ${measure(p)}`;
}
