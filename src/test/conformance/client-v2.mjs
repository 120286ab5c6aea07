// The official SDK's second generation in each of its three ways to find out what the server speaks. Arguments and exit
// code as in client-v1.mjs.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tracing, exercise } from './exercise.mjs';

const [url, ...tools] = process.argv.slice(2);
const modes = [
  { mode: 'auto', era: 'modern' },
  { mode: 'legacy', era: 'legacy' },
  { mode: { pin: '2026-07-28' }, era: 'modern' },
];
let failed = false;
for (const { mode, era } of modes) {
  const wire = tracing();
  try {
    const client = new Client({ name: 'switchboard-test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: wire.fetch }));
    assert.equal(client.getProtocolEra(), era);
    await exercise(client, tools);
    await client.close();
    console.log('ok', JSON.stringify(mode), era);
  } catch (failure) {
    failed = true;
    console.log('FAILED', JSON.stringify(mode), failure, '\n' + wire.log.join('\n'));
  }
}
process.exit(failed ? 1 : 0);
