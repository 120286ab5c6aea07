import { html, svg } from 'lit';

const icon = paths => html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${paths}</svg>`;

/** The icons of the console, as templates. They say nothing to a screen reader. */
export const icons = {
  search: icon(svg`<circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 4 4"/>`),
  close: icon(svg`<path d="m5 5 10 10M15 5 5 15"/>`),
  copy: icon(svg`<rect x="7" y="7" width="9.5" height="9.5" rx="2"/><path d="M13 7V5.5a2 2 0 0 0-2-2H5.5a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7"/>`),
  done: icon(svg`<path d="m4.5 10.5 3.7 3.7 7.3-8"/>`),
  out: icon(svg`<path d="M11.5 4H16v4.5M16 4l-7 7M13.5 11.5V15a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7.5a1 1 0 0 1 1-1h3.5"/>`),
  up: icon(svg`<path d="M10 15.5v-11M5.5 9 10 4.5 14.5 9"/>`),
  down: icon(svg`<path d="M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5"/>`),
  folder: icon(svg`<path d="M2.5 6a1.5 1.5 0 0 1 1.5-1.5h3.5l2 2H16A1.5 1.5 0 0 1 17.5 8v6.5A1.5 1.5 0 0 1 16 16H4a1.5 1.5 0 0 1-1.5-1.5z"/>`),
  file: icon(svg`<path d="M5 2.5h6.5L15.5 6.5V16A1.5 1.5 0 0 1 14 17.5H6A1.5 1.5 0 0 1 4.5 16V4zM11.5 2.5V6.5h4"/>`),
  remove: icon(svg`<path d="M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5"/>`),
  refresh: icon(svg`<path d="M16 6.5A7 7 0 0 0 3.5 8M4 13.5A7 7 0 0 0 16.5 12M16.5 3v4h-4M3.5 17v-4h4"/>`),
  previous: icon(svg`<path d="m12 4.5-5.5 5.5 5.5 5.5"/>`),
  next: icon(svg`<path d="m8 4.5 5.5 5.5L8 15.5"/>`),
  yes: icon(svg`<path d="M6.5 9 9.8 3a1.8 1.8 0 0 1 1.7 2.2L11 8h4a1.5 1.5 0 0 1 1.5 1.8l-1 5A1.5 1.5 0 0 1 14 16H6.5zM6.5 9H3.5v7h3"/>`),
  no: icon(svg`<path d="M6.5 11 9.8 17a1.8 1.8 0 0 0 1.7-2.2L11 12h4a1.5 1.5 0 0 0 1.5-1.8l-1-5A1.5 1.5 0 0 0 14 4H6.5zM6.5 11H3.5V4h3"/>`),
  compare: icon(svg`<rect x="3" y="4" width="6" height="12" rx="1.5"/><rect x="11" y="4" width="6" height="12" rx="1.5"/>`),
  keyboard: icon(svg`<rect x="2.5" y="5" width="15" height="10" rx="2"/><path d="M5.5 8h.01M8.5 8h.01M11.5 8h.01M14.5 8h.01M5.5 12h.01M8 12h4M14.5 12h.01"/>`),
  logo: html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="8"></rect><g><path d="M8 9h4c6 0 2 14 8 14h4"></path><path d="M8 23h4c2 0 3-1.6 3.7-3.6M24 9h-4c-2 0-3 1.6-3.7 3.6"></path></g></svg>`,
};
