import { html, nothing } from 'lit';
import { estimatedTokens } from './answer-tokens.js';
import { contentItems } from './content-items.js';
import { errorNote } from './error-note.js';
import { compact, duration, size } from './format.js';
import { jsonView } from './json-view.js';
import './tab-panels.js';

/**
 * The answer to a call, as it came.
 *
 * @param {import('./tool-call.js').ToolCall} call
 */
export function toolAnswer(call) {
  const { result } = call.message ?? {};
  const tabs = [];
  if (result?.content !== undefined) tabs.push({ id: 'text', title: 'Content', content: () => contentItems(result.content) });
  if (result?.structuredContent !== undefined) tabs.push({ id: 'structured', title: 'Structured', content: () => jsonView(result.structuredContent, 'the structured content') });
  if (call.messages.length) tabs.push({ id: 'raw', title: 'JSON-RPC', content: () => messages(call.messages) });
  return html`${failure(call)}${tabs.length ? html`<tab-panels name="answer" label="Parts of the answer" .tabs=${tabs}></tab-panels>` : nothing}`;
}

/**
 * What an answer was and what it cost, in a line.
 *
 * @param {import('./tool-call.js').ToolCall} call
 */
export function answerFacts(call) {
  const took = `after ${duration(call.elapsed)}`;
  if (call.state === 'cancelled') return `Cancelled ${took}`;
  if (call.state === 'failed') return `No answer ${took}`;
  const tokens = estimatedTokens(call.message);
  const bytes = new TextEncoder().encode(JSON.stringify(call.message)).length;
  return html`${call.message.result?.isError || call.message.error ? 'Failed' : 'Answered'} ${took} · <span title="An estimate: four bytes count as a token.">about ${compact(tokens)} tokens (estimate)</span> · ${size(bytes)}`;
}

function failure({ error, message }) {
  if (error) return errorNote(error);
  if (message?.error) return note('The gateway refused the request', message.error.code, message.error.message);
  if (!message?.result?.isError) return nothing;
  const { kind } = message.result._meta?.['switchboard/error'] ?? {};
  return note('The tool reports an error', kind, kind ? message.result._meta['switchboard/error'].message : '');
}

function note(title, code, text) {
  return html`<div class="error-note" role="alert"><p class="error-title">${title}${code === undefined ? nothing : html` <code>${code}</code>`}</p>${text ? html`<p dir="auto">${text}</p>` : nothing}</div>`;
}

function messages(all) {
  return all.map(({ sent, message }) => html`<h3 class="small muted">${sent ? 'Sent' : 'Received'}</h3>${jsonView(message, sent ? 'the request' : 'the answer')}`);
}
