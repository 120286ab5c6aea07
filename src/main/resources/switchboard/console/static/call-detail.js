import { LitElement, html, nothing, svg } from 'lit';
import { size } from './format.js';
import { icons } from './icons.js';
import { callMs, callTime } from './live-format.js';
import './copy-button.js';

const WIDTH = 400;
const HEIGHT = 10;

/** What one call was, and where its time went. Sends `close-call`. */
class CallDetail extends LitElement {
  static properties = { call: {} };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.updateComplete.then(() => this.querySelector('dialog').showModal());
  }

  render() {
    const { call } = this;
    return html`<dialog class="panel" aria-labelledby="call-title" @cancel=${this.#cancelled} @click=${this.#clicked}>
      <header>
        <div class="panel-bar"><span class="small muted call-time">${callTime(call.time)}</span>
          <button type="button" class="quiet icon-only" aria-label="Close the call" title="Close (Esc)" @click=${this.#close}>${icons.close}</button></div>
        <h2 id="call-title" dir="auto">${call.tool || call.method || 'Refused before it was read'}</h2>
        <div class="actions">${this.#ids()}</div>
      </header>
      <div class="panel-body" tabindex="0" autofocus role="region" aria-label="About this call">
        <dl class="fields call-fields">${this.#facts().map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`)}</dl>
        <h3 class="waterfall-title">Where the time went</h3>
        ${this.#waterfall()}
      </div>
    </dialog>`;
  }

  #ids() {
    const { trace, request } = this.call;
    return html`${trace ? html`<span class="small trace-id">Trace <code class="trace">${trace}</code></span>
        <copy-button .text=${trace} .short=${'Copy trace id'} .label=${trace}></copy-button>`
      : html`<copy-button .text=${request} .short=${'Copy request id'} .label=${request}></copy-button>`}`;
  }

  #facts() {
    const { call } = this;
    return [
      ['team', call.team],
      ['key', call.key],
      ['method', call.method],
      ['backend', call.backend],
      ['gateway', call.gateway ?? ''],
      ['decision', call.decision],
      ['outcome', call.outcome],
      ['calls', call.calls > 1 ? call.calls : ''],
      ['took', callMs(call.ms)],
      ['in the queue', callMs(call.queue_ms)],
      ['in the backend', callMs(call.backend_ms)],
      ['answer', size(call.bytes)],
      ['request', call.request],
    ].filter(([, value]) => value !== '' && value !== undefined);
  }

  #waterfall() {
    const { call } = this;
    const steps = [...call.steps].sort((a, b) => a.at_ms - b.at_ms);
    const whole = Math.max(call.ms, ...steps.map(step => step.at_ms + step.ms), 0.001);
    const all = [{ kind: 'whole', depth: 0, backend: 'gateway', name: 'whole call', at_ms: 0, queue_ms: 0, ms: call.ms, outcome: call.outcome }, ...steps];
    return html`<ol class="waterfall">${all.map(step => this.#row(step, whole))}</ol>
      <p class="small muted legend"><span><span class="key queue" aria-hidden="true"></span> in the queue</span>
        <span><span class="key call" aria-hidden="true"></span> in the backend</span>
        <span><span class="key engine" aria-hidden="true"></span> request to an engine</span></p>
      ${call.omitted ? html`<p class="small muted">${call.omitted} more steps aren’t shown.</p>` : nothing}`;
  }

  #row(step, whole) {
    const place = ms => (ms / whole) * WIDTH;
    const rest = Math.max(place(step.ms - step.queue_ms), 1.5);
    const said = `from ${callMs(step.at_ms)} on: ${step.queue_ms ? `${callMs(step.queue_ms)} in the queue, ` : ''}${callMs(step.ms)} in all`;
    return html`<li class="depth-${Math.min(step.depth, 3)}">
      <span class="step-name"><bdi>${step.kind === 'engine' ? `${step.backend} engine` : step.backend}</bdi> <span class="muted"><bdi>${step.name}</bdi></span>${step.outcome === 'ok' ? nothing : html` <span class="bad">${step.outcome}</span>`}</span>
      <span class="step-ms">${callMs(step.ms)}${step.queue_ms >= 1 ? html`<span class="muted"> · ${callMs(step.queue_ms)} queue</span>` : nothing}</span>
      <svg class="step-bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${said}>
        ${svg`<rect class="track" width=${WIDTH} height=${HEIGHT}></rect>
        <rect class="queue" x=${place(step.at_ms)} width=${place(step.queue_ms)} height=${HEIGHT}></rect>
        <rect class=${step.kind} x=${Math.min(place(step.at_ms + step.queue_ms), WIDTH - 1.5)} width=${rest} height=${HEIGHT}></rect>`}</svg></li>`;
  }

  #cancelled(event) {
    event.preventDefault();
    this.#close();
  }

  #clicked(event) {
    if (event.target.localName === 'dialog') this.#close();
  }

  #close() {
    this.dispatchEvent(new CustomEvent('close-call', { bubbles: true }));
  }
}

customElements.define('call-detail', CallDetail);
