import { html } from 'lit';
import { argumentHeaders } from './header-value.js';
import { repeatable } from './mcp.js';
import './copy-button.js';
import './tab-panels.js';

/** The variable that a key is read from: no copy has one. */
const KEY = 'SWITCHBOARD_KEY';

/**
 * A call for developers, in several languages.
 *
 * @param {object} tool as `tools/list` describes it
 * @param {unknown} args
 * @param {{mcp?: string, view?: string, auth?: string}} session
 */
export function toolCopies(tool, args, session) {
  const server = serverOf(session);
  const tabs = [
    { id: 'curl', title: 'curl', text: curl(server, tool, args) },
    { id: 'python', title: 'Python', text: python(server, tool.name, args) },
    { id: 'rpc', title: 'JSON-RPC', text: repeatable(tool.name, args) },
  ].map(({ id, title, text }) => ({ id, title, content: () => copy(text, title) }));
  return html`<details class="fold"><summary>Copy the call</summary><div>
    <tab-panels name="copy" label="Languages" .tabs=${tabs}></tab-panels></div></details>`;
}

function copy(text, title) {
  return html`<div class="json-view"><copy-button .text=${text} .short=${'Copy'} .label=${`the call as ${title}`}></copy-button><pre class="code-text" dir="ltr">${text}</pre></div>`;
}

function serverOf({ mcp = 'http://127.0.0.1:8080/mcp', view = '', auth = 'none' }) {
  return { url: view ? `${mcp}/${encodeURIComponent(view)}` : mcp, key: auth !== 'none' };
}

function curl({ url, key }, tool, args) {
  const headers = ['Content-Type: application/json', 'Accept: application/json, text/event-stream', ...Object.entries(argumentHeaders(tool.inputSchema, args)).map(([name, value]) => `${name}: ${value}`)];
  const lines = [`curl -s ${quoted(url)}`, ...headers.map(header => `-H ${quoted(header)}`), ...(key ? [`-H "Authorization: Bearer $${KEY}"`] : []), `-d ${quoted(repeatable(tool.name, args).replaceAll("'", '\\u0027'))}`];
  return lines.join(' \\\n  ');
}

/** For a POSIX shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function python({ url, key }, name, args) {
  const connection = key
    ? `import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

headers = {"Authorization": f"Bearer {os.environ['${KEY}']}"}
server = streamable_http_client(${literal(url)}, http_client=httpx2.AsyncClient(headers=headers, timeout=300))`
    : `import asyncio

from mcp import Client

server = ${literal(url)}`;
  return `# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=2.3,<3"]
# ///
${connection}
arguments = ${literal(args)}


async def main():
    async with Client(server) as client:
        print(await client.call_tool(${literal(name)}, arguments))


asyncio.run(main())
`;
}

/** A JSON text is also Python, but for three words and for characters that end a line. */
function literal(value, indent = '') {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value).replace(/[\u007f-\u00a0\u2028\u2029]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const deeper = `${indent}    `;
  const inner = Array.isArray(value) ? value.map(item => deeper + literal(item, deeper)) : Object.entries(value).map(([name, item]) => `${deeper}${literal(name)}: ${literal(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return inner.length ? `${open}\n${inner.join(',\n')},\n${indent}${close}` : open + close;
}
