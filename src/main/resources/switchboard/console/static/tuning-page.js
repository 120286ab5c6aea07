import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { counted } from './format.js';
import { Listing } from './listing.js';
import { showInAddress } from './page-links.js';
import { decision, figures, inUse, trialFigures, weightTable, when } from './tuning-words.js';
import { WindowEvents } from './window-events.js';
import './action-confirmation.js';

const PATH = 'api/v1/tuning';
const STATES = {
  waiting: 'waits for a decision',
  approved: 'in use',
  outdated: 'was compared with other weights than those in use or in the configuration now; run tune again',
};

/** The page of weights that are proposed for searches, for operators: the team that is shown is in the URL. */
class TuningPage extends LitElement {
  static properties = { team: { state: true }, asked: { state: true }, said: { state: true } };

  #list = new Listing(this);

  constructor() {
    super();
    new WindowEvents(this, { popstate: () => (this.team = teamOf(location.search)) });
    /** The team that is shown; null for all. */
    this.team = teamOf(location.search);
    /** What a dialog asks about; null for none. */
    this.asked = null;
    this.said = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Tuning · Switchboard';
    this.#load();
  }

  render() {
    const { value, error, busy } = this.#list;
    return html`<main id="main" class="live tuning" aria-busy=${busy}>
      <div class="page-head"><h1 tabindex="-1">Tuning</h1>
        <p class="muted" role="status">${this.said || (busy ? 'Looking at the proposals …' : value ? summary(value) : '')}</p></div>
      ${error ? errorNote(error, () => this.#load()) : nothing}
      ${value ? this.#content(value) : nothing}
      ${this.asked ? html`<action-confirmation .heading=${this.asked.heading} .message=${this.asked.message} .verb=${this.asked.verb} .act=${this.asked.act}
        @confirmation-over=${e => this.#over(e.detail)}></action-confirmation>` : nothing}
    </main>`;
  }

  #content(value) {
    const shown = value.teams.filter(one => this.team === null || one.team === this.team);
    return html`
      ${value.tunable ? nothing : html`<p class="read-only">Nothing new is proposed: <code>search.fusion.method</code> is not <code>linear</code>, and only that is tuned.</p>`}
      ${value.cluster ? html`<p class="read-only">What is decided here holds on all gateways of the cluster within seconds.</p>` : nothing}
      ${value.teams.length > 1 || this.team !== null ? this.#choice(value.teams) : nothing}
      ${shown.length ? repeat(shown, one => one.team, one => this.#team(one, value)) : empty()}`;
  }

  #choice(teams) {
    const names = [...new Set([...teams.map(one => one.team), ...(this.team === null ? [] : [this.team])])].sort();
    return html`<form class="live-filters" aria-label="Whose searches" @submit=${e => e.preventDefault()}>
      <div class="field"><label for="tuning-team">Team</label>
        <select id="tuning-team" @change=${e => this.#choose(e.target.selectedIndex ? names[e.target.selectedIndex - 1] : null)}>
          <option .selected=${this.team === null}>All teams</option>
          ${names.map(name => html`<option value=${name} .selected=${name === this.team}>${called(name)}</option>`)}</select></div></form>`;
  }

  #choose(team) {
    this.team = team;
    this.said = '';
    showInAddress(team === null ? '' : `?${new URLSearchParams({ team })}`, false);
  }

  #team(one, { similarity }) {
    const others = one.proposals.filter(proposal => proposal.state !== 'waiting');
    const waiting = one.proposals.filter(proposal => proposal.state === 'waiting');
    return html`<section class="gap-part" aria-label=${called(one.team)}><h2><bdi>${called(one.team)}</bdi></h2>
      ${one.problem ? html`<p class="read-only anywhere" role="alert">${one.problem}</p>` : [this.#inUse(one, similarity), one.trial ? this.#trial(one, one.trial) : nothing]}
      ${one.damaged.length ? html`<p class="read-only anywhere">${one.damaged.length === 1 ? 'A proposal is' : 'Proposals are'} damaged and can’t be approved: <bdi>${one.damaged.join(', ')}</bdi>. Run <code>tune</code> again.</p>` : nothing}
      <ul class="gap-list">${repeat(waiting, proposal => proposal.id, proposal => this.#proposal(one, proposal, similarity))}</ul>
      ${one.problem || waiting.length ? nothing : html`<p class="muted">No proposal waits.</p>`}
      ${others.length ? html`<details class="fold"><summary>${counted(others.length, 'other proposal')}</summary>
        <ul class="gap-list">${repeat(others, proposal => proposal.id, proposal => this.#proposal(one, proposal, similarity))}</ul></details>` : nothing}
      ${one.decisions.length ? html`<details class="fold"><summary>${counted(one.decisions.length, 'decision')}</summary>
        <ul class="gap-lines">${one.decisions.map(decision)}</ul></details>` : nothing}
    </section>`;
  }

  #inUse(one, similarity) {
    return html`<div class="gap in-use"><div class="held-head"><h3>${one.approval ? html`Proposal <code>${one.approval.proposal}</code> is in use` : 'Searches rank as the configuration says'}</h3>
      ${one.approval ? html`<button type="button" aria-label=${`Undo ${one.approval.proposal} of ${called(one.team)}`} @click=${() => this.#undo(one)}>Undo</button>` : nothing}</div>
      ${one.approval ? html`<p class="small muted anywhere">Approved ${when(one.approval.at)} by <bdi>${one.approval.by}</bdi>.</p>${inUse(one.weights, similarity)}` : nothing}</div>`;
  }

  #trial(one, trial) {
    return html`<div class="gap in-use"><div class="held-head"><h3>Proposal <code>${trial.proposal}</code> is tried <span class="gap-count">in ${percent(trial.share)} of the searches</span></h3>
      <button type="button" aria-label=${`End the trial of ${trial.proposal} of ${called(one.team)}`} @click=${() => this.#end(one, trial)}>End trial</button></div>
      <p class="small muted anywhere">Since ${when(trial.at)} by <bdi>${trial.by}</bdi>, until ${when(trial.until)}.</p>
      ${trial.outcome ? trialFigures(trial.outcome) : html`<p class="read-only">What came of it can’t be read now. The gateway’s log says why.</p>`}</div>`;
  }

  #proposal(one, proposal, similarity) {
    return html`<li class="gap"><div class="held-head">
      <h3>Proposal <code>${proposal.id}</code> <span class="gap-count">of ${when(proposal.created)}, ${STATES[proposal.state]}</span></h3>
      ${proposal.state === 'waiting' ? html`<button type="button" aria-label=${`Approve ${proposal.id} of ${called(one.team)}`} @click=${() => this.#approve(one, proposal)}>Approve</button>` : nothing}</div>
      ${weightTable(proposal, similarity)}${figures(proposal.ndcg10)}</li>`;
  }

  #approve({ team }, { id, hash }) {
    this.asked = {
      heading: `Approve proposal ${id}?`,
      message: `The searches of ${called(team)} rank by it at once. It can be undone.`,
      verb: 'Approve',
      act: () => sendJson('POST', PATH, { team, id, hash }),
      done: `Proposal ${id} is in use for ${called(team)}.`,
    };
  }

  #undo({ team, approval: { proposal, at } }) {
    this.asked = {
      heading: `Undo proposal ${proposal}?`,
      message: `The searches of ${called(team)} rank as they did before it was approved, at once.`,
      verb: 'Undo',
      act: () => sendJson('DELETE', PATH, { team, proposal, at }),
      done: `Proposal ${proposal} is undone for ${called(team)}.`,
    };
  }

  #end({ team }, { proposal, id }) {
    this.asked = {
      heading: `End the trial of proposal ${proposal}?`,
      message: `The searches of ${called(team)} rank by the weights in use only, at once. The proposal stays, and so does what was read.`,
      verb: 'End trial',
      act: () => sendJson('DELETE', `${PATH}/trial`, { team, proposal, trial: id }),
      done: `Proposal ${proposal} is not tried any more for ${called(team)}.`,
    };
  }

  async #over(done) {
    this.said = done ? this.asked.done : '';
    this.asked = null;
    await this.#load();
    this.querySelector('h1').focus();
  }

  #load() {
    return this.#list.load(() => sendJson('GET', PATH));
  }
}

function summary({ teams }) {
  const waiting = teams.flatMap(one => one.proposals).filter(one => one.state === 'waiting').length;
  return waiting ? `${counted(waiting, 'proposal')} ${waiting === 1 ? 'waits' : 'wait'} for a decision.` : 'No proposal waits for a decision.';
}

function empty() {
  return html`<p>The command <code>switchboard tune --team TEAM</code> looks for weights of sources that rank better what a team reads after its searches, and proposes them here. It needs a log of the searches: <code>insight.teams.TEAM</code> in the configuration.</p>`;
}

const percent = share => `${Math.round(100 * share)} %`;

/** A gateway without teams has one without a name. */
const called = team => team || 'everybody';

const teamOf = query => new URLSearchParams(query).get('team');

customElements.define('tuning-page', TuningPage);
