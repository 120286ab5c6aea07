// Two clients that start the gateway themselves and a third over HTTP, all on one data folder: what one writes all see, and
// when the first process, which owns the data, is killed, the others go on. Argument: {command, stdio, serve, url} as JSON.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const spec = JSON.parse(process.argv[2]);
const options = { timeout: 300_000 };

async function connect(transport) {
  const client = new Client({ name: 'switchboard-test', version: '1' });
  await client.connect(transport, options);
  return client;
}

async function write(client, source) {
  const params = { name: 'ingest_text', arguments: { content: `Note ${source}.`, title: source, source } };
  let result = await client.callTool(params, undefined, options);
  if (result.isError && result._meta['switchboard/error'].kind === 'UNAVAILABLE') {
    // The owner died during the call, which says that it may be called again.
    result = await client.callTool(params, undefined, options);
  }
  assert.ok(!result.isError, JSON.stringify(result));
}

async function all(client) {
  const result = await client.callTool({ name: 'list_documents', arguments: {} }, undefined, options);
  assert.ok(!result.isError, JSON.stringify(result));
  return JSON.parse(result.content[0].text).documents.map(document => document.source).sort();
}

async function served(url) {
  for (;;) {
    try {
      return await fetch(url, { method: 'OPTIONS' });
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}

let server;
try {
  const owner = new StdioClientTransport({ command: spec.command, args: spec.stdio });
  const first = await connect(owner);
  await write(first, 'one');
  const second = await connect(new StdioClientTransport({ command: spec.command, args: spec.stdio }));
  await write(second, 'two');
  server = spawn(spec.command, spec.serve, { stdio: 'ignore' });
  await served(spec.url);
  const third = await connect(new StreamableHTTPClientTransport(new URL(spec.url)));
  await write(third, 'three');
  for (const client of [first, second, third]) {
    assert.deepEqual(await all(client), ['one', 'three', 'two']);
  }

  process.kill(owner.pid, 'SIGKILL');
  await write(third, 'four');
  await write(second, 'five');
  for (const client of [second, third]) {
    assert.deepEqual(await all(client), ['five', 'four', 'one', 'three', 'two']);
  }
  await second.close();
  assert.deepEqual(await all(third), ['five', 'four', 'one', 'three', 'two']);
  await third.close();
  console.log('ok one-folder');
} finally {
  server?.kill();
}
process.exit(0);
