import { html, nothing } from 'lit';
import { score } from './format.js';

const LABELS = {
  keyword: 'Keywords',
  vector: 'Cosine',
  bigrams: 'Word pairs',
  proximity: 'Close together',
  feedback: 'Near the best',
  neighbours: 'Neighbours',
  document: 'Whole document',
  keyword_rank: 'Rank by words',
  vector_rank: 'Rank by cosine',
  source_rank: 'Rank in source',
  other_sources: 'Also in others',
  source_weight: 'Source weight',
};
const WIDTH = 100;

/**
 * Why a hit ranks where it does: what its score is made of, here and in its source, and which words match.
 *
 * @param {object} hit of `search_everywhere` with `explanation`
 */
export function whyItRanks({ score: total, source, source_score, explanation }) {
  const { parts, in_source, words } = explanation;
  return html`<details class="ranks"><summary>Why it ranks here</summary>
    ${bars(`Score ${score(total)}`, parts)}
    ${in_source ? bars(`Score in ${source} ${score(source_score)}`, in_source) : nothing}
    <p>${words.length ? html`Words that match: ${words.map((word, i) => html`${i ? ', ' : nothing}<bdi class="word">${word}</bdi>`)}` : 'No word of the question matches.'}</p>
  </details>`;
}

function bars(title, parts) {
  const most = Math.max(...parts.map(part => Math.abs(part.value)));
  return html`<p>${title}</p><ul class="parts" aria-label=${title}>${parts.map(({ name, value }) => html`
    <li class=${value < 0 ? 'less' : ''}><span>${LABELS[name] ?? name}</span>
      <svg viewBox="0 0 ${WIDTH} 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width=${WIDTH} height="6"></rect><rect class="fill" width=${most ? (WIDTH * Math.abs(value)) / most : 0} height="6"></rect></svg>
      <strong>${score(value).replace('-', '−')}</strong></li>`)}</ul>`;
}
