import { LitElement, html, nothing } from 'lit';
import { breadcrumb, webUrl } from './address.js';
import { isCode } from './code-files.js';
import { counted, score } from './format.js';
import { icons } from './icons.js';
import { whyItRanks } from './score-parts.js';
import { marked } from './words.js';
import './copy-button.js';

/** Longer passages are cut around the first word that matched, until one asks for all. */
const SHORT = 420;
const BEFORE = 120;

/** One hit. Sends `open-hit`, and `judge-hit` with true, false, or undefined to take a judgment back. */
class HitCard extends LitElement {
  static properties = {
    hit: {}, rank: {}, words: {}, href: {}, moved: {}, verdict: {}, judging: {}, whole: { state: true },
  };

  constructor() {
    super();
    this.whole = false;
    this.judging = false;
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (changed.has('hit')) this.whole = false;
  }

  render() {
    const { hit } = this;
    return html`<article class="hit">
      <div class="hit-rank"><span class="unseen">Hit </span>${this.rank}${this.#movement()}</div>
      <div class="hit-body">
        <h3 dir="auto"><a class="hit-title" href=${this.href} @click=${this.#open}>${hit.title || breadcrumb(hit.address).at(-1)}</a></h3>
        ${this.#where()}
        ${hit.text ? this.#passage() : nothing}
        ${this.#scores()}
        ${this.#more()}
        ${this.#actions()}
      </div>
    </article>`;
  }

  #movement() {
    if (!this.moved) return nothing;
    const { kind, text } = this.moved;
    const icon = kind === 'up' ? icons.up : kind === 'down' ? icons.down : nothing;
    return html`<span class="moved ${kind}">${icon}${text}</span>`;
  }

  #where() {
    return html`<p class="where"><span class="source-tag">${this.hit.source}</span>
      <span class="crumbs">${breadcrumb(this.hit.address).slice(1).map((part, i) => html`${i ? html`<span class="crumb-mark" aria-hidden="true">›</span>` : nothing}<bdi>${part}</bdi>`)}</span></p>`;
  }

  #passage() {
    const code = isCode(this.hit);
    const shown = this.whole ? { text: this.hit.text, before: false, after: false } : cut(this.hit.text, this.words);
    return html`<p class="passage ${code ? 'code-text' : ''}" dir=${code ? 'ltr' : 'auto'}>${shown.before ? '… ' : nothing}${marked(shown.text, this.words).map(piece =>
      piece.marked ? html`<mark>${piece.text}</mark>` : piece.text)}${shown.after ? ' …' : nothing}</p>
      ${shown.before || shown.after || this.whole
        ? html`<button type="button" class="link small" aria-expanded=${this.whole} @click=${() => (this.whole = !this.whole)}>${this.whole ? 'Show less' : 'Show the whole passage'}</button>` : nothing}`;
  }

  #scores() {
    const { relevance, similarity, source_rank, source_score } = this.hit;
    return html`<ul class="scores">
      ${relevance === undefined ? nothing : bar('relevance', relevance, relevance < 0.5)}
      ${similarity === undefined ? nothing : bar('similarity', similarity, false)}
      <li><span>rank in source</span> <strong>${source_rank}</strong></li>
      ${source_score === undefined ? nothing : html`<li><span>score there</span> <strong>${score(source_score)}</strong></li>`}
    </ul>`;
  }

  #more() {
    const { fields, explanation, also_in: copies = [] } = this.hit;
    const names = Object.keys(fields ?? {});
    if (!names.length && !copies.length && !explanation) return nothing;
    return html`<div class="hit-more">
      ${explanation ? whyItRanks(this.hit) : nothing}
      ${copies.length ? html`<details><summary>Also in ${counted(copies.length, 'other document')}</summary>
        <ul class="copies">${copies.map(copy => html`<li><span class="source-tag">${copy.source}</span> <bdi>${breadcrumb(copy.address).slice(1).join(' › ')}</bdi></li>`)}</ul></details>` : nothing}
      ${names.length ? html`<details><summary>${counted(names.length, 'field')}</summary>${fieldTable(fields)}</details>` : nothing}
    </div>`;
  }

  #actions() {
    const url = webUrl(this.hit.url);
    return html`<div class="actions">
      ${this.judging ? html`${this.#verdict(true, 'This answers', icons.yes)}${this.#verdict(false, 'This doesn’t', icons.no)}` : nothing}
      <copy-button .text=${this.hit.address} .short=${'Copy address'} .label=${'of this hit'}></copy-button>
      ${url ? html`<a class="button quiet" href=${url} target="_blank" rel="noopener noreferrer" title=${url}>${icons.out}<span>Original</span></a>`
        : this.hit.url ? html`<span class="small muted url">${this.hit.url}</span>` : nothing}
    </div>`;
  }

  #verdict(answers, text, icon) {
    const pressed = this.verdict === answers;
    return html`<button type="button" class="quiet verdict ${answers ? 'yes' : 'no'}" aria-pressed=${pressed}
      @click=${() => this.#send('judge-hit', pressed ? undefined : answers)}>${icon}<span>${text}</span></button>`;
  }

  #open(event) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.#send('open-hit');
  }

  #send(name, verdict) {
    this.dispatchEvent(new CustomEvent(name, { detail: { hit: this.hit, verdict }, bubbles: true }));
  }
}

/**
 * The fields of a document as a list of names and values.
 *
 * @param {object} fields
 */
export function fieldTable(fields) {
  return html`<dl class="fields">${Object.entries(fields).map(([name, value]) => html`<div><dt>${name}</dt>
    <dd dir="auto">${typeof value === 'string' ? value : JSON.stringify(value)}</dd></div>`)}</dl>`;
}

function bar(label, value, low) {
  const width = 48 * Math.min(1, Math.max(0, value));
  return html`<li class="bar ${low ? 'low' : ''}"><span>${label}</span>
    <svg viewBox="0 0 48 6" aria-hidden="true"><rect class="track" width="48" height="6" rx="3"></rect><rect class="fill" width=${width} height="6" rx="3"></rect></svg>
    <strong>${value.toFixed(2)}</strong></li>`;
}

function cut(text, words) {
  if (text.length <= SHORT * 1.3) return { text, before: false, after: false };
  let first = 0;
  for (const piece of marked(text, words)) {
    if (piece.marked) break;
    first += piece.text.length;
  }
  if (first >= text.length) first = 0;
  let from = Math.min(Math.max(0, first - BEFORE), text.length - SHORT);
  if (from > 0) from = text.indexOf(' ', from) + 1 || from;
  if (from > first) from = first;
  let to = Math.min(text.length, from + SHORT);
  if (to < text.length) to = Math.max(text.lastIndexOf(' ', to), from + SHORT / 2);
  return { text: text.slice(from, to), before: from > 0, after: to < text.length };
}

customElements.define('hit-card', HitCard);
