// What both generations of clients do with a gateway.
import assert from 'node:assert/strict';

/** A fetch that keeps a log of what went over the wire, and sends the key in SWITCHBOARD_KEY if there is one. */
export function tracing() {
  const key = process.env.SWITCHBOARD_KEY;
  const log = [];
  return {
    log,
    fetch: async (url, init) => {
      const sent = [...new Headers(init?.headers)].filter(([name]) => /^mcp|accept/.test(name)).map(([name, value]) => `${name}=${value}`);
      log.push(`${init?.method ?? 'GET'} ${sent.join(' ')} ${String(init?.body ?? '').slice(0, 200)}`);
      const headers = new Headers(init?.headers);
      if (key) headers.set('Authorization', `Bearer ${key}`);
      const response = await fetch(url, { ...init, headers });
      log.push(`  -> ${response.status} ${response.headers.get('content-type')}`);
      return response;
    },
  };
}

/** Lists the tools, calls one that succeeds, and one whose failure must arrive as a result, not as an exception. */
export async function exercise(client, [good, goodArguments, bad, badArguments]) {
  const { tools } = await client.listTools();
  assert.ok(tools.some(tool => tool.name === good), `${good} is listed`);
  const result = await client.callTool({ name: good, arguments: JSON.parse(goodArguments) });
  assert.ok(!result.isError, JSON.stringify(result));
  assert.ok(result.content.length > 0);
  const failure = await client.callTool({ name: bad, arguments: JSON.parse(badArguments) });
  assert.equal(failure.isError, true, JSON.stringify(failure));
  assert.equal(failure.content[0].type, 'text');
  assert.ok(failure.content[0].text.length > 0);
}
