import { LitElement, html, nothing } from 'lit';
import { SIGNED_OUT } from './api.js';
import { time } from './format.js';
import { icons } from './icons.js';
import { useView } from './mcp.js';
import { currentSession, signOut } from './session.js';
import './shortcuts-help.js';
import './sign-in.js';
import './search-page.js';

/** The pages, by the last part of their URL. */
const PAGES = [
  { path: 'search', title: 'Search', view: () => html`<search-page></search-page>` },
  { path: 'evaluate', title: 'Evaluate', view: session => html`<evaluate-page .session=${session}></evaluate-page>`, load: () => import('./evaluate-page.js') },
  { path: 'sources', title: 'Sources', view: () => html`<sources-page></sources-page>`, load: () => import('./sources-page.js') },
  { path: 'live', title: 'Live', view: () => html`<live-page></live-page>`, load: () => import('./live-page.js') },
  { path: 'tools', title: 'Tools', view: session => html`<tools-page .session=${session}></tools-page>`, load: () => import('./tools-page.js') },
  { path: 'teams', title: 'Teams', view: session => html`<teams-page .session=${session}></teams-page>`, load: () => import('./teams-page.js') },
  { path: 'watches', title: 'Watches', view: () => html`<watches-page></watches-page>`, load: () => import('./watches-page.js') },
  { path: 'usage', title: 'Usage', view: () => html`<usage-page></usage-page>`, load: () => import('./usage-page.js') },
  { path: 'gaps', title: 'Gaps', operators: true, view: () => html`<gaps-page></gaps-page>`, load: () => import('./gaps-page.js') },
  { path: 'tuning', title: 'Tuning', operators: true, view: () => html`<tuning-page></tuning-page>`, load: () => import('./tuning-page.js') },
];

/** The frame of every page: who is signed in, where one is, and the sign-in where one has to. */
class ConsoleApp extends LitElement {
  static properties = { session: { state: true }, signInNeeded: { state: true }, message: { state: true }, error: { state: true } };

  constructor() {
    super();
    this.session = null;
    this.signInNeeded = false;
    this.message = '';
    this.error = '';
    /** The name of the issuer where one can sign in, if there is one. */
    this.issuer = '';
    this.page = PAGES.find(page => location.pathname.endsWith(`/${page.path}`)) ?? PAGES[0];
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener(SIGNED_OUT, event => this.#signedOut(event.detail));
    this.#load();
  }

  /** What the server's page shows until there is something better. */
  updated() {
    if (this.session || this.signInNeeded || this.error) this.querySelector('.shell')?.remove();
    // On a phone not all pages have room side by side.
    this.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  render() {
    if (this.signInNeeded) {
      return html`<sign-in .message=${this.message} .issuer=${this.issuer} .back=${this.page.path} @signed-in=${e => this.#signedIn(e.detail)}></sign-in>`;
    }
    if (this.error) return this.#unreachable();
    if (!this.session) return nothing;
    return html`
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
        <a class="brand" href=${this.page.path}>${icons.logo}<span class="brand-name">Switchboard</span></a>
        ${PAGES.length > 1 ? this.#navigation() : nothing}
        <div class="top-end"><shortcuts-help></shortcuts-help>${this.#person()}</div>
      </header>
      ${this.page.view(this.session)}`;
  }

  #navigation() {
    const pages = PAGES.filter(page => !page.operators || this.session.operator);
    return html`<nav aria-label="Pages"><ul>${pages.map(page => html`
      <li><a href=${page.path} aria-current=${page === this.page ? 'page' : nothing}>${page.title}</a></li>`)}</ul></nav>`;
  }

  #person() {
    const { auth, team, key, expires, operator } = this.session;
    if (auth === 'none') return html`<span class="who muted" title="auth: none">no sign-in needed</span>`;
    const until = expires ? ` until ${time(expires)}` : '';
    return html`
      <span class="who" title=${`Signed in with ${key}${until}`}>${team}${operator ? html` <span class="tag">operator</span>` : nothing}</span>
      <button type="button" class="quiet" title=${`Signed in as ${team}`} @click=${this.#leave}>Sign out</button>`;
  }

  #unreachable() {
    return html`<main class="sign-in"><div class="card">${icons.logo}<h1>No connection</h1>
      <p class="muted">${this.error}</p>
      <button type="button" class="primary" @click=${this.#load}>Try again</button></div></main>`;
  }

  async #load() {
    this.error = '';
    try {
      const [session] = await Promise.all([currentSession(), this.page.load?.()]);
      this.#enter(session);
    } catch (e) {
      if (e.status !== 401) this.error = e.message;
    }
  }

  #enter(session) {
    useView(session.view ?? '');
    this.session = session;
  }

  #signedOut({ issuer = this.issuer } = {}) {
    this.issuer = issuer;
    if (this.session) this.message = 'Your session is over. Sign in to go on where you were.';
    this.session = null;
    this.signInNeeded = true;
  }

  #signedIn(session) {
    this.#enter(session);
    this.signInNeeded = false;
    this.message = '';
  }

  async #leave() {
    try {
      await signOut();
    } catch (e) {
      if (e.status !== 401) {
        this.error = e.message;
        return;
      }
    }
    this.session = null;
    this.signInNeeded = true;
    this.message = 'You are signed out.';
  }
}

customElements.define('console-app', ConsoleApp);
