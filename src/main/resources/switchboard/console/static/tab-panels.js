import { LitElement, html } from 'lit';

/** Panels of which one is shown. `tabs` are `{id, title, content}`, where `content` makes the template; `name` stands in front of ids. */
class TabPanels extends LitElement {
  static properties = { tabs: {}, name: {}, label: {}, first: {}, chosen: { state: true } };

  constructor() {
    super();
    this.tabs = [];
    this.name = 'tabs';
    this.label = '';
    /** The id of the panel that is shown as long as nobody chose one. */
    this.first = '';
    this.chosen = '';
  }

  createRenderRoot() {
    return this;
  }

  render() {
    const current = this.#current();
    return html`<div role="tablist" class="tabs" aria-label=${this.label} @keydown=${this.#key}>${this.tabs.map(tab => html`
        <button type="button" role="tab" id=${`${this.name}-tab-${tab.id}`} aria-controls=${`${this.name}-panel`} aria-selected=${tab === current}
          tabindex=${tab === current ? 0 : -1} @click=${() => (this.chosen = tab.id)}>${tab.title}</button>`)}</div>
      <div role="tabpanel" class="tab-panel" id=${`${this.name}-panel`} tabindex="0" aria-labelledby=${`${this.name}-tab-${current?.id}`}>${current?.content()}</div>`;
  }

  #current() {
    return this.tabs.find(tab => tab.id === this.chosen) ?? this.tabs.find(tab => tab.id === this.first) ?? this.tabs[0];
  }

  async #key(event) {
    const at = this.tabs.indexOf(this.#current());
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.chosen = this.tabs[(to + this.tabs.length) % this.tabs.length].id;
    await this.updateComplete;
    this.querySelector('[role=tab][aria-selected=true]').focus();
  }
}

customElements.define('tab-panels', TabPanels);
