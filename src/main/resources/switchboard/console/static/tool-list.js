import { LitElement, html, nothing } from 'lit';
import { grouped, isDestructive, titleOf } from './tool-groups.js';
import { writeState } from './tool-state.js';

/** The tools that the person may use, grouped by backend, with a filter. */
class ToolList extends LitElement {
  static properties = { tools: {}, owners: {}, chosen: {}, wanted: { state: true } };

  constructor() {
    super();
    this.tools = [];
    this.owners = new Map();
    this.chosen = '';
    this.wanted = '';
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const groups = grouped(this.tools, this.owners, this.wanted);
    return html`<input type="search" class="filter" placeholder="Filter tools" aria-label="Filter tools" autocomplete="off" spellcheck="false"
        .value=${this.wanted} @input=${e => (this.wanted = e.target.value)}>
      <p class="unseen" role="status">${this.wanted ? `${groups.reduce((sum, [, tools]) => sum + tools.length, 0)} of ${this.tools.length} tools` : ''}</p>
      <nav class="tool-groups" aria-label="Tools">${groups.length ? groups.map(([backend, tools], i) => this.#group(backend, tools, i, groups.length)) : html`<p class="muted small">No tool has these words.</p>`}</nav>`;
  }

  #group(backend, tools, i, count) {
    const heading = backend || (count > 1 ? 'Others' : '');
    const id = `tool-group-${i}`;
    return html`<section aria-labelledby=${heading ? id : nothing}>${heading ? html`<h2 id=${id}>${heading}</h2>` : nothing}
      <ul>${tools.map(tool => this.#tool(tool, backend))}</ul></section>`;
  }

  /** In the group of its backend, a name needs no backend in front. */
  #tool(tool, backend) {
    const front = `${backend}__`;
    const title = titleOf(tool);
    return html`<li><a class="tool-link" href=${`tools${writeState(tool.name)}`} aria-current=${tool.name === this.chosen ? 'true' : nothing}>
      <span dir="auto">${backend && tool.name.startsWith(front) ? tool.name.slice(front.length) : tool.name}</span>${isDestructive(tool) ? html` <span class="tag bad">destructive</span>` : nothing}
      ${title ? html`<span class="facts" dir="auto">${title}</span>` : nothing}</a></li>`;
  }
}

customElements.define('tool-list', ToolList);
