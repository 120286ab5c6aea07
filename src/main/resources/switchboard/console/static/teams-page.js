import { LitElement, html, nothing } from 'lit';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { counted } from './format.js';
import { Listing } from './listing.js';
import { linkWithin, showInAddress } from './page-links.js';
import { limitFigures, teamRights } from './team-facts.js';
import { readState, writeState } from './teams-state.js';
import { WindowEvents } from './window-events.js';
import './held-definitions.js';
import './team-access.js';
import './team-keys.js';

/** The page of teams, their keys and what they may do: its state is that of the URL. */
class TeamsPage extends LitElement {
  static properties = { session: {}, state: { state: true } };

  #teams = new Listing(this);

  constructor() {
    super();
    new WindowEvents(this, { popstate: () => this.#moved() });
    this.session = {};
    this.state = readState(location.search);
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  updated() {
    document.title = `${this.state.team ? `${this.state.team} · ` : ''}Teams · Switchboard`;
  }

  render() {
    return html`<main id="main" class="sources" @click=${this.#clicked} @go=${e => this.#go(e.detail)} @teams-changed=${() => this.#load()}>${this.#content()}</main>`;
  }

  #content() {
    const { value, error } = this.#teams;
    if (error && !value) return html`<div class="page-head"><h1 tabindex="-1">Teams</h1></div>${errorNote(error, () => this.#load())}`;
    if (!value) return html`<div class="page-head"><h1 tabindex="-1">Teams</h1></div><p class="muted loading" role="status">Asking what there is …</p>`;
    if (value.auth === 'none') return html`${noTeams()}<held-definitions></held-definitions>`;
    const name = this.state.team || (value.teams.length === 1 ? value.teams[0].name : '');
    return html`${error ? errorNote(error, () => this.#load()) : nothing}
      ${name ? this.#team(value, value.teams.find(team => team.name === name), name) : overview(value)}`;
  }

  #team(all, team, name) {
    return html`<div class="page-head">
        ${all.operator ? html`<nav class="small crumb-line" aria-label="Way here"><a href="teams">Teams</a> <span class="crumb-mark" aria-hidden="true">›</span></nav>` : nothing}
        <h1 tabindex="-1" dir="auto">${name}</h1>
      </div>
      ${team ? this.#parts(all, team) : html`<div class="nothing"><p class="nothing-title">No such team</p><p>It is not there, or you may not see it.</p></div>`}`;
  }

  #parts(all, team) {
    return html`
      <section class="backend" aria-labelledby="rights-title"><h2 id="rights-title">Rights and limits</h2>
        ${teamRights(team)}${limitFigures(team)}</section>
      <section class="documents" aria-labelledby="keys-title"><div class="list-head"><h2 id="keys-title">Keys</h2></div>
        <team-keys .team=${team} .since=${all.since} .changes=${all.keys ?? null} .own=${this.session.team === team.name ? this.session.key : ''}></team-keys></section>
      <section class="documents" aria-labelledby="access-title"><div class="list-head"><h2 id="access-title">Who may what</h2></div>
        <team-access .team=${team.name} .wanted=${this.state.q} .tool=${this.state.tool} .resource=${this.state.resource}></team-access></section>`;
  }

  #load() {
    return this.#teams.load(() => sendJson('GET', 'api/v1/teams'));
  }

  /** Links to this page stay in it. */
  #clicked(event) {
    const url = linkWithin(event);
    if (url) this.#go(readState(url.search));
  }

  /** A new state: what `change` has; with `here` in it, the rest stays, and so does the place in the history. */
  async #go({ here = false, ...change }) {
    showInAddress(writeState(here ? { ...this.state, ...change } : change), here);
    await this.#moved();
  }

  async #moved() {
    const before = this.state;
    this.state = readState(location.search);
    if (before.team === this.state.team) return;
    await this.updateComplete;
    window.scrollTo(0, 0);
    this.querySelector('h1').focus({ preventScroll: true });
  }
}

function overview({ teams, operator }) {
  return html`<div class="page-head"><h1 tabindex="-1">Teams</h1><p class="muted">${counted(teams.length, 'team')}, ${counted(teams.reduce((sum, team) => sum + team.keys.length, 0), 'key')}</p></div>
    ${operator ? html`<held-definitions></held-definitions>` : nothing}
    <ul class="document-rows">${teams.map(team => html`<li class="document-row team-row">
      <div class="source-what"><h2 class="team-name"><a class="source-link" dir="auto" href=${`teams${writeState({ team: team.name })}`}>${team.name}</a></h2>
        <span class="facts">${[counted(team.keys.length, 'key'), counted(team.grants.length, 'grant')].join(' · ')}</span></div>
      ${limitFigures(team)}</li>`)}</ul>`;
}

function noTeams() {
  return html`<div class="page-head"><h1 tabindex="-1">Teams</h1></div>
    <div class="nothing no-teams"><p class="nothing-title">There are no teams</p>
      <p>With <code>auth: {mode: none}</code> everybody on this machine may do everything. To have teams, make a key for one:</p>
      <pre><code>./switchboard keys create --team readers --write</code></pre>
      <p>Give the team its grants in the teams file, and write into the configuration:</p>
      <pre><code>auth: {mode: keys}
console: {enabled: true}</code></pre>
      <p>Then start the gateway again.</p></div>`;
}

customElements.define('teams-page', TeamsPage);
