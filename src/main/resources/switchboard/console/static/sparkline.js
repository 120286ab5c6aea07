import { html, nothing, svg } from 'lit';
import { duration } from './format.js';

const PLACES = 60;
const STEP = 3;
const HEIGHT = 24;

/**
 * A small chart of durations, the latest at the right; a place without a value stays empty.
 *
 * @param {(number | null)[]} values in ms, at most 60
 * @param {string} label
 */
export function sparkline(values, label) {
  const known = values.filter(value => value !== null);
  const most = Math.max(...known, 1);
  const offset = (PLACES - values.length) * STEP;
  const said = known.length ? `${label}: ${duration(Math.min(...known))} to ${duration(most)}` : `${label}: no calls yet`;
  return html`<svg class="sparkline" viewBox="0 0 ${PLACES * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${said}>
    <rect class="track" y=${HEIGHT - 1} width=${PLACES * STEP} height="1"></rect>
    ${values.map((value, i) => (value === null ? nothing : bar(offset + i * STEP, Math.max(1.5, (value / most) * HEIGHT))))}</svg>`;
}

function bar(x, height) {
  return svg`<rect class="fill" x=${x} y=${HEIGHT - height} width=${STEP - 1} height=${height}></rect>`;
}
