import { html, nothing } from 'lit';

const KINDS = {
  INVALID_ARGUMENT: 'The request isn’t valid',
  NOT_FOUND: 'Not found',
  CONFLICT: 'It has changed in the meantime',
  DENIED: 'Not allowed',
  DENIED_UPSTREAM: 'The engine refuses the gateway',
  UNAVAILABLE: 'Not available now',
  TIMEOUT: 'It took too long',
  OVERLOADED: 'Too much at once',
  CANCELLED: 'Cancelled',
  INTERNAL: 'A defect of the gateway',
};

/**
 * Shows why a call failed: the kind in words, the message, and a button to try again.
 *
 * @param {Error} error a `ToolError`, an `ApiError` or any other
 * @param {() => void} [again]
 */
export function errorNote(error, again) {
  const wait = error.retryAfterMs ? ` Try again in ${Math.ceil(error.retryAfterMs / 1000)} s.` : '';
  return html`<div class="error-note" role="alert">
    <p class="error-title">${KINDS[error.kind] ?? 'It didn’t work'}${error.kind ? html` <code>${error.kind}</code>` : nothing}</p>
    <p dir="auto">${error.message}${wait}</p>
    ${again ? html`<button type="button" @click=${again}>Try again</button>` : nothing}
  </div>`;
}
