import { nothing, svg, html } from 'lit';

const WIDTH = 96;
const HEIGHT = 20;

/**
 * A line of the last values; straight over those that are missing. Decoration: the text beside it has the number.
 *
 * @param {(number | null)[]} values
 */
export function sparkline(values) {
  const known = values.filter(value => value !== null);
  if (known.length < 2) return nothing;
  const most = Math.max(...known) || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const lines = values
    .flatMap((value, i) => (value === null ? [] : [`${(i * step).toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`]))
    .join(' ');
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${svg`<polyline points=${lines}></polyline>`}</svg>`;
}
