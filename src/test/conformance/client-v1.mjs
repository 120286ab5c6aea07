// The official SDK's first generation (2025-11-25 and older) against a running gateway: connects, lists, calls one tool
// that succeeds and one that fails. Arguments: URL, then name and JSON arguments of both tools. Exit code 0 if all went well.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { tracing, exercise } from './exercise.mjs';

const [url, ...tools] = process.argv.slice(2);
const wire = tracing();
try {
  const client = new Client({ name: 'switchboard-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: wire.fetch }));
  assert.ok(client.getServerVersion().name);
  await exercise(client, tools);
  await client.close();
  console.log('ok', LATEST_PROTOCOL_VERSION);
  process.exit(0);
} catch (failure) {
  console.log('FAILED', failure, '\n' + wire.log.join('\n'));
  process.exit(1);
}
