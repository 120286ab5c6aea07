import { LitElement, html, nothing } from 'lit';
import { icons } from './icons.js';
import { signIn } from './session.js';

/** What went wrong at an issuer, by the word in the address. */
const FAILURES = {
  issuer_unavailable: 'The issuer can’t be reached now. Try again, or use a key.',
  issuer_refused: 'The issuer did not confirm who you are. Try again.',
  other_browser: 'The answer of the issuer is too old, or for another browser. Try again.',
  token_team: 'You are known, but belong to no team here, or to several. Ask the operator.',
  sign_in_unavailable: 'Nobody can sign in now, because the database that the gateways share can’t be used. Try again soon.',
  not_ready: 'This gateway starts. Try again soon.',
  token_unchecked: 'What the issuer said can’t be checked now. Try again later.',
};
const WORD = 'sign_in';

/** The form for an API key, and the way to an issuer. Sends `signed-in` with the session. */
class SignIn extends LitElement {
  static properties = { message: {}, issuer: {}, back: {}, error: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.message = '';
    this.issuer = '';
    this.back = '';
    this.error = '';
    this.busy = false;
  }

  createRenderRoot() {
    return this;
  }

  firstUpdated() {
    this.querySelector('input').focus();
  }

  render() {
    return html`<main class="sign-in">
      <form class="card" @submit=${this.#submit} novalidate>
        ${icons.logo}
        <h1>Sign in to Switchboard</h1>
        ${this.#failure()}
        ${this.issuer ? html`<a class="button primary" href=${this.#elsewhere()}>Sign in with ${this.issuer}</a><p class="or muted">or</p>` : nothing}
        <p class="muted">${this.message || 'With the API key that your client uses. You see here what it may see.'}</p>
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required
          aria-describedby=${this.error ? 'key-error' : nothing} aria-invalid=${this.error ? 'true' : nothing}>
        <p id="key-error" class="field-error" role="alert">${this.error}</p>
        <button type="submit" class="primary" ?disabled=${this.busy}>${this.busy ? 'Signing in …' : 'Sign in'}</button>
        <p class="small muted">The key is sent once. This page doesn’t keep it.</p>
      </form>
    </main>`;
  }

  #failure() {
    const word = new URLSearchParams(location.search).get(WORD);
    if (!word) return nothing;
    return html`<p class="field-error" role="alert">${FAILURES[word] ?? 'The issuer’s answer was not accepted. Try again, or ask the operator.'}</p>`;
  }

  /** The way to the issuer, which leads back to what the page shows. */
  #elsewhere() {
    const query = new URLSearchParams(location.search);
    query.delete(WORD);
    const back = query.size ? `${this.back}?${query}` : this.back;
    return `api/v1/openid?${new URLSearchParams({ back })}`;
  }

  async #submit(event) {
    event.preventDefault();
    const field = this.querySelector('input');
    const key = field.value.trim();
    if (!key) {
      this.error = 'Enter a key.';
      field.focus();
      return;
    }
    this.busy = true;
    this.error = '';
    try {
      const session = await signIn(key);
      field.value = '';
      this.dispatchEvent(new CustomEvent('signed-in', { detail: session, bubbles: true }));
    } catch (e) {
      this.error = e.message;
      field.select();
    }
    this.busy = false;
  }
}

customElements.define('sign-in', SignIn);
