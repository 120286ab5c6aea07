import { html, nothing } from 'lit';
import { number } from './format.js';
import { tokens } from './syntax.js';
import './copy-button.js';

const MOST_LINES = 2000;

/**
 * A JSON value with colours.
 *
 * @param {unknown} value
 * @param {string} what for the button that copies it
 */
export function jsonView(value, what) {
  const text = JSON.stringify(value, null, 2) ?? '';
  const lines = text.split('\n');
  return html`<div class="json-view"><copy-button .text=${text} .short=${'Copy'} .label=${what}></copy-button>
    <pre class="code-text" dir="ltr">${lines.slice(0, MOST_LINES).map(line => html`${coloured(line)}\n`)}</pre>
    ${lines.length > MOST_LINES ? html`<p class="muted small">The first ${number(MOST_LINES)} of ${number(lines.length)} lines. The copy has all.</p>` : nothing}</div>`;
}

function coloured(line) {
  const all = tokens(line);
  return all.map(({ text, kind }, i) => {
    const name = kind === 'string' && all[i + 1]?.text.startsWith(':');
    return kind ? html`<span class=${name ? 'member' : kind}>${text}</span>` : text;
  });
}
