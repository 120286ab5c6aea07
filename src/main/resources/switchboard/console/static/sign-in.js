import { LitElement, html, nothing } from 'lit';
import { icons } from './icons.js';
import { signIn } from './session.js';

/** The form for an API key. Sends `signed-in` with the session. */
class SignIn extends LitElement {
  static properties = { message: {}, error: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.message = '';
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
