import { LitElement, html, nothing } from 'lit';
import { counted, size } from './format.js';
import { WatchedJob } from './watched-job.js';

/** Takes files by a field or by dropping them, and shows what became of each. */
class AddFiles extends LitElement {
  static properties = { queue: {}, over: { state: true } };

  #watched = new WatchedJob(this, () => {});

  constructor() {
    super();
    this.over = false;
  }

  createRenderRoot() {
    return this;
  }

  willUpdate() {
    this.#watched.watch(this.queue);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watched.watch(null);
  }

  render() {
    const { files, running, refused, adding } = this.queue;
    return html`<div class="drop ${this.over ? 'over' : ''}" @dragover=${this.#dragged} @dragleave=${() => (this.over = false)} @drop=${this.#dropped}>
        <label for="files">${adding.label}</label>
        <input id="files" type="file" multiple accept=${adding.accept} aria-describedby="files-hint" @change=${this.#chosen}>
        <p class="hint" id="files-hint">Or drop them here: ${adding.hint}. A file of the same name is replaced.</p>
      </div>
      ${refused ? html`<p class="field-error" role="alert">${refused}</p>` : nothing}
      ${files.length ? html`<div class="file-bar"><p class="small muted" role="status">${this.#summary()}</p>
        ${running ? html`<button type="button" @click=${() => this.queue.stop()}>Stop</button>` : html`<button type="button" class="quiet" @click=${() => this.queue.clear()}>Clear</button>`}</div>
        ${running ? html`<progress aria-label="Files that are done" max=${files.length} .value=${this.#over()}></progress>` : html`<div class="progress-place"></div>`}
        <ul class="file-lines" tabindex="0" aria-label="Files">${files.map(file => this.#line(file))}</ul>` : nothing}`;
  }

  #line(file) {
    return html`<li class="file-line ${file.state}"><span class="dot" aria-hidden="true"></span>
      <span class="file-name"><bdi>${file.name}</bdi> <span class="facts">${size(file.size)}</span></span>
      <span class="file-said" dir="auto">${file.said || 'waiting'}</span>
      ${['failed', 'stopped'].includes(file.state) && !file.final
        ? html`<button type="button" class="link small" aria-label=${`Try ${file.name} again`} @click=${() => this.queue.again(file)}>Try again</button>` : nothing}</li>`;
  }

  #over() {
    return this.queue.files.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  }

  #summary() {
    const { files, running } = this.queue;
    if (running) return `${this.#over()} of ${counted(files.length, 'file')}`;
    const count = state => files.filter(file => file.state === state).length;
    return [`${count('done')} of ${counted(files.length, 'file')} added`, count('failed') ? `${count('failed')} failed` : '', count('stopped') ? `${count('stopped')} stopped` : '']
      .filter(Boolean).join(' · ');
  }

  #chosen(event) {
    this.queue.add([...event.target.files]);
    event.target.value = '';
  }

  #dragged(event) {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.over = true;
  }

  #dropped(event) {
    event.preventDefault();
    this.over = false;
    if (event.dataTransfer.files.length) this.queue.add([...event.dataTransfer.files]);
  }
}

customElements.define('add-files', AddFiles);
