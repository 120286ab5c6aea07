import { html, nothing } from 'lit';
import { webUrl } from './address.js';
import { number, size } from './format.js';
import './copy-button.js';

/** Types of images that a browser shows and that can hold no script. */
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MOST_CHARACTERS = 200_000;

/**
 * The content of an answer: what an agent reads.
 *
 * @param {unknown} content the items of `tools/call`
 */
export function contentItems(content) {
  const items = Array.isArray(content) ? content : [];
  if (!items.length) return html`<p class="muted">The answer has no content.</p>`;
  return html`<ol class="content-items">${items.map((item, i) => html`<li>${shown(item ?? {}, i + 1)}${audience(item?.annotations)}</li>`)}</ol>`;
}

function shown(item, place) {
  switch (item.type) {
    case 'text':
      return text(item.text);
    case 'image':
      return image(item.data, item.mimeType, `Image ${place} of the answer`);
    case 'audio':
      return file(item.data, item.mimeType, `audio-${place}`);
    case 'resource_link':
      return link(item);
    case 'resource':
      return resource(item.resource ?? {}, place);
    default:
      return html`<p class="muted">Content of the kind <code dir="auto">${String(item.type)}</code> is shown in the tab “JSON-RPC” only.</p>`;
  }
}

function text(value) {
  const all = String(value ?? '');
  return html`<div class="text-item"><copy-button .text=${all} .short=${'Copy'} .label=${'this text'}></copy-button>
    <pre class="code-text" dir="auto">${all.slice(0, MOST_CHARACTERS)}</pre>
    ${all.length > MOST_CHARACTERS ? html`<p class="muted small">The first ${number(MOST_CHARACTERS)} of ${number(all.length)} characters. The copy has all.</p>` : nothing}</div>`;
}

function image(data, type, description) {
  if (!IMAGES.includes(type) || !isBase64(data)) return file(data, type, 'image');
  return html`<figure><img src=${`data:${type};base64,${data}`} alt=${description}><figcaption class="facts">${type}, ${size(bytesOf(data))}</figcaption></figure>`;
}

function link({ uri, name, title, description, mimeType }) {
  const url = webUrl(uri);
  return html`<div class="resource-item"><p class="strong" dir="auto">${title ?? name ?? 'Resource'}</p>
    <p dir="auto">${url ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${uri}</a>` : html`<code>${uri}</code>`}</p>
    ${description ? html`<p class="muted small" dir="auto">${description}</p>` : nothing}${mimeType ? html`<p class="facts">${mimeType}</p>` : nothing}</div>`;
}

function resource({ uri, mimeType, text: content, blob }, place) {
  return html`<div class="resource-item"><p dir="auto"><code>${uri}</code> <span class="facts">${mimeType ?? ''}</span></p>
    ${content !== undefined ? text(content) : image(blob, mimeType, `Image of the resource ${place}`)}</div>`;
}

/** What a browser doesn't show can be kept. Its type is not told, so that nothing opens it. */
function file(data, type, name) {
  if (!isBase64(data)) return html`<p class="muted">${String(type ?? 'Data')}, which is no Base64.</p>`;
  return html`<p><span class="facts">${String(type ?? 'Data')}, ${size(bytesOf(data))}</span> <button type="button" @click=${() => save(data, name)}>Save</button></p>`;
}

function save(data, name) {
  const bytes = Uint8Array.from(atob(data), character => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function isBase64(data) {
  return typeof data === 'string' && data.length % 4 === 0 && BASE64.test(data);
}

function bytesOf(data) {
  return (data.length / 4) * 3 - (data.match(/=*$/)[0].length);
}

function audience(annotations) {
  const names = Array.isArray(annotations?.audience) ? annotations.audience.join(', ') : '';
  return names ? html`<p class="facts" dir="auto">for ${names}</p>` : nothing;
}
