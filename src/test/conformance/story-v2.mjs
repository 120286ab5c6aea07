// The second generation of the TypeScript SDK, in each of its ways to find out what the server speaks, over Streamable
// HTTP and standard input and output. Argument: {url, command, args} as JSON; without a command,
// those over HTTP.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { story, tell } from './story.mjs';

const spec = JSON.parse(process.argv[2]);
const connect = (transport, mode, era) => async () => {
  const client = new Client({ name: 'switchboard-test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport(), { timeout: 300_000 });
  assert.equal(client.getProtocolEra(), era);
  client.call = (name, args, options) => client.callTool({ name, arguments: args }, options);
  return client;
};
const http = () => new StreamableHTTPClientTransport(new URL(spec.url));
const stdio = () => new StdioClientTransport({ command: spec.command, args: spec.args });
const pin = { pin: '2026-07-28' };

await tell([
  () => story('v2-auto', connect(http, 'auto', 'modern'), true),
  () => story('v2-legacy', connect(http, 'legacy', 'legacy'), true),
  () => story('v2-pinned', connect(http, pin, 'modern'), true),
  () => story('v2-stdio', connect(stdio, pin, 'modern'), false),
].slice(0, spec.command ? 4 : 3));
