import { LitElement, html, nothing } from 'lit';
import { errorNote } from './error-note.js';
import { counted } from './format.js';
import { listTools } from './mcp.js';
import { linkWithin, showInAddress } from './page-links.js';
import { ToolCall } from './tool-call.js';
import { backendsOf, titleOf } from './tool-groups.js';
import { readState, writeState } from './tool-state.js';
import { WindowEvents } from './window-events.js';
import './tool-list.js';
import './tool-panel.js';

const WIDE = matchMedia('(min-width: 62rem)');

/** Browsers limit how often an address may change. */
const ADDRESS_MS = 250;

/** The page on which a person calls a tool: its state is that of the URL. */
class ToolsPage extends LitElement {
  static properties = { session: {}, tools: { state: true }, owners: { state: true }, error: { state: true }, tool: { state: true }, args: { state: true } };

  /** The last call of each tool. It goes on while one looks at another tool. */
  #calls = new Map();
  /** What was filled in for each tool. */
  #filled = new Map();
  #timer = 0;
  #resized = () => this.requestUpdate();

  constructor() {
    super();
    new WindowEvents(this, {
      popstate: () => this.#moved(),
      beforeunload: event => [...this.#calls.values()].some(call => call.running) && event.preventDefault(),
    });
    this.session = {};
    this.tools = null;
    this.owners = new Map();
    this.error = null;
    this.#read();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    WIDE.addEventListener('change', this.#resized);
    this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    WIDE.removeEventListener('change', this.#resized);
    clearTimeout(this.#timer);
    this.#calls.forEach(call => call.cancel());
  }

  updated() {
    document.title = `${this.tool ? `${this.tool} · ` : ''}Try a tool · Switchboard`;
  }

  render() {
    return html`<main id="main" class="tools" @click=${this.#clicked}>
      ${this.error ? html`<div class="tools-error"><h1>Try a tool</h1>${errorNote(this.error, () => this.#load())}</div>` : this.tools ? this.#columns() : html`<p class="muted loading" role="status">Asking which tools there are …</p>`}</main>`;
  }

  #columns() {
    return html`<div class="columns"><aside class="side" aria-label="Which tool">
        <details class="side-fold" ?open=${WIDE.matches || !this.tool}><summary>${counted(this.tools.length, 'tool')}</summary>
          <tool-list .tools=${this.tools} .owners=${this.owners} .chosen=${this.tool}></tool-list></details></aside>
      <div class="tool-place">${this.tool ? this.#chosen() : this.#none()}</div></div>`;
  }

  #none() {
    return html`<div class="page-head"><h1 tabindex="-1">Try a tool</h1>
      <p class="muted">${this.tools.length ? `${counted(this.tools.length, 'tool')} that you may use. Choose one to see what it takes, and call it as an agent of your team does.` : 'There is no tool that you may use.'}</p></div>`;
  }

  #chosen() {
    const tool = this.tools.find(one => one.name === this.tool);
    if (!tool) return html`<div class="nothing"><h1 tabindex="-1" class="nothing-title">No such tool</h1><p dir="auto">${this.tool} is not there, or you may not use it.</p></div>`;
    return html`<tool-panel .tool=${tool} .backend=${this.owners.get(tool.name) ?? ''} .args=${this.args} .session=${this.session} .call=${this.#calls.get(tool.name) ?? null}
      @change-arguments=${e => this.#fill(e.detail)} @call-tool=${e => this.#call(tool, e.detail)}></tool-panel>`;
  }

  #read() {
    const { tool, args } = readState(location);
    if (args !== undefined) this.#filled.set(tool, args);
    this.tool = tool;
    this.args = this.#filled.get(tool) ?? {};
  }

  async #load() {
    this.error = null;
    try {
      this.tools = (await listTools()).sort((a, b) => a.name.localeCompare(b.name));
    } catch (error) {
      this.error = error;
      return;
    }
    // Without an answer the tools are one group.
    this.owners = await backendsOf(this.tools).catch(() => new Map());
  }

  #fill(args) {
    this.args = args;
    this.#filled.set(this.tool, args);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), ADDRESS_MS);
  }

  #keep() {
    clearTimeout(this.#timer);
    const url = location.pathname + writeState(this.tool, this.args);
    if (url !== location.pathname + location.search + location.hash) history.replaceState(history.state, '', url);
  }

  #call(tool, args) {
    const call = new ToolCall(tool, args);
    this.#calls.set(tool.name, call);
    this.#keep();
    this.requestUpdate();
    call.start();
  }

  /** Links to this page stay in it, so that what runs goes on. */
  #clicked(event) {
    const url = linkWithin(event);
    if (!url) return;
    this.#keep();
    const { tool } = readState(url);
    showInAddress(writeState(tool, this.#filled.get(tool)), false);
    this.#moved();
  }

  async #moved() {
    const before = this.tool;
    this.#read();
    if (before === this.tool) return;
    await this.updateComplete;
    window.scrollTo(0, 0);
    this.querySelector('.tool-place h1')?.focus({ preventScroll: true });
  }
}

customElements.define('tools-page', ToolsPage);
