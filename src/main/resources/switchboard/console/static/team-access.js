import { LitElement, html, nothing } from 'lit';
import { sendJson } from './api.js';
import { errorNote } from './error-note.js';
import { counted } from './format.js';
import { Listing } from './listing.js';

/** What a team may do with which tool, and why. Sends `go` with the new part of the page's state. */
class TeamAccess extends LitElement {
  static properties = { team: {}, wanted: {}, tool: {}, resource: {} };

  #tools = new Listing(this);
  #answer = new Listing(this);

  constructor() {
    super();
    this.team = '';
    /** The words that tools are filtered by. */
    this.wanted = '';
    this.tool = '';
    this.resource = '';
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (changed.has('team')) {
      this.#tools.clear();
      this.#load();
    }
    if (changed.has('team') || changed.has('tool') || changed.has('resource')) {
      this.#answer.clear();
      if (this.tool) this.#explain();
    }
  }

  render() {
    const { value, error } = this.#tools;
    if (error) return errorNote(error, () => this.#load());
    if (!value) return html`<p class="muted loading" role="status">Asking what it may do …</p>`;
    const shown = matching(value.tools, this.wanted);
    const may = value.tools.filter(tool => tool.decision === 'allowed').length;
    return html`
      ${this.#question(value.tools)}
      <p class="small muted">It may use ${may} of ${counted(value.tools.length, 'tool')} in the view ${value.view}. Calls are decided in the same way.</p>
      <input type="search" class="filter" placeholder="Filter tools" aria-label="Filter tools" .value=${this.wanted}
        @input=${e => this.#go({ q: e.target.value })}>
      ${shown.length ? html`<table class="access">
        <caption class="unseen">What the team may do with each tool</caption>
        <thead><tr><th scope="col">Tool</th><th scope="col">May</th><th scope="col">On what, or why not</th></tr></thead>
        <tbody>${shown.map(tool => row(tool))}</tbody></table>`
        : html`<p class="muted">${value.tools.length ? 'No tool has these words.' : 'There are no tools for it.'}</p>`}`;
  }

  #question(tools) {
    const known = tools.some(({ name }) => name === this.tool);
    return html`<form class="why" @submit=${this.#asked} aria-labelledby="why-title">
      <h3 id="why-title">Why can’t they?</h3>
      <div class="field"><label for="why-tool">Tool</label>
        <select id="why-tool" name="tool" required>
          <option value="" .selected=${!this.tool}>Choose one</option>
          ${this.tool && !known ? html`<option selected>${this.tool}</option>` : nothing}
          ${tools.map(({ name }) => html`<option .selected=${name === this.tool}>${name}</option>`)}</select></div>
      <div class="field"><label for="why-resource">Resource</label>
        <input id="why-resource" name="resource" autocomplete="off" spellcheck="false" .value=${this.resource} aria-describedby="why-hint">
        <span class="hint" id="why-hint">Such as a library, a collection or an index. Empty: any</span></div>
      <button type="submit">Explain</button>
      <div class="why-answer" role="status">${this.#explained()}</div>
    </form>`;
  }

  #explained() {
    const { value, error, busy } = this.#answer;
    if (error) return errorNote(error, () => this.#explain());
    if (busy) return html`<p class="muted loading">Asking …</p>`;
    if (!value) return nothing;
    const [tool] = value.tools;
    const about = this.resource ? html` on <code dir="auto">${this.resource}</code>` : nothing;
    return html`<p>${chip(tool)} <code>${tool.name}</code>${about}</p>
      ${onWhat(tool)}
      <dl class="verbs">${tool.verbs.map(({ verb, grants }) => html`<div><dt>${verb}</dt>
        <dd>${grants.length ? html`<ul>${grants.map(({ grant, covers }) => html`<li><code dir="auto">${grant}</code>
          ${covers === undefined ? nothing : html`<span class="small muted">${covers ? 'covers it' : 'doesn’t cover it'}</span>`}</li>`)}</ul>` : 'no grant'}</dd></div>`)}</dl>
      ${this.resource && !tool.names_resources ? html`<p class="small muted">A call of this tool doesn’t name what it is about: it finds and changes only what the grants cover.</p>` : nothing}`;
  }

  #asked(event) {
    event.preventDefault();
    const { tool, resource } = Object.fromEntries(new FormData(event.target));
    this.#go({ tool, resource: resource.trim() });
  }

  #go(detail) {
    this.dispatchEvent(new CustomEvent('go', { detail: { here: true, ...detail }, bubbles: true }));
  }

  #load() {
    const { team } = this;
    return this.#tools.load(() => ask({ team }));
  }

  #explain() {
    const { team, tool, resource } = this;
    return this.#answer.load(() => ask({ team, tool, ...(resource && { resource }) }));
  }
}

function ask(question) {
  return sendJson('GET', `api/v1/access?${new URLSearchParams(question)}`);
}

/** The tools in whose row all words are. */
function matching(tools, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(tool => {
    const text = [tool.name, tool.backend, said(tool), tool.why, ...(tool.resources ?? []).flat(), ...grantsOf(tool)].join(' ').toLowerCase();
    return words.every(word => text.includes(word));
  });
}

function row(tool) {
  const grants = grantsOf(tool);
  return html`<tr><th scope="row"><span dir="auto">${tool.name}</span> <span class="small muted">${tool.backend}</span></th>
    <td>${chip(tool)}</td>
    <td>${onWhat(tool)}${tool.decision === 'allowed' ? html`<p class="small muted">by ${grants.map((grant, i) => html`${i ? ', ' : nothing}<code dir="auto">${grant}</code>`)}</p>` : nothing}</td></tr>`;
}

/** What the tool may be used on, or why it may not be used. */
function onWhat({ decision, why, resources }) {
  if (decision !== 'allowed') return html`<p>${why}</p>`;
  if (!resources) return html`<p>everything</p>`;
  return html`<p>${resources.map((globs, i) => html`${i ? ' and ' : nothing}${globs.map((glob, j) => html`${j ? ' or ' : nothing}<code dir="auto">${glob}</code>`)}`)}</p>`;
}

function grantsOf({ verbs }) {
  return [...new Set(verbs.flatMap(({ grants }) => grants.map(({ grant }) => grant)))];
}

function said({ decision }) {
  return decision === 'allowed' ? 'may' : 'may not';
}

function chip(tool) {
  return html`<span class="chip ${tool.decision === 'allowed' ? 'ok' : 'error'}"><span class="dot" aria-hidden="true"></span><span class="chip-state">${said(tool)}</span></span>`;
}

customElements.define('team-access', TeamAccess);
