// The first generation of the TypeScript SDK over its three transports. Argument: {url, sse, command, args} as JSON;
// without a command, those over HTTP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { story, tell } from './story.mjs';

const spec = JSON.parse(process.argv[2]);
const connect = transport => async () => {
  const client = new Client({ name: 'switchboard-test', version: '1' });
  await client.connect(transport(), { timeout: 300_000 });
  client.call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
  return client;
};

await tell([
  () => story('v1-http', connect(() => new StreamableHTTPClientTransport(new URL(spec.url))), true),
  () => story('v1-sse', connect(() => new SSEClientTransport(new URL(spec.sse))), false),
  () => story('v1-stdio', connect(() => new StdioClientTransport({ command: spec.command, args: spec.args })), false),
].slice(0, spec.command ? 3 : 2));
