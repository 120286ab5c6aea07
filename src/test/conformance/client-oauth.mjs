// The official client's own OAuth flow against a gateway that accepts access tokens: challenged with 401, it finds the
// authorization server, registers, gets a token with the first scopes, calls a tool; challenged with 403 by another tool,
// it gets a token with more and calls that one. Arguments: the gateway's public URL, the origin where it really is, and
// name and JSON arguments of the two tools. Exit code 0 if all went well.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const [url, origin, small, smallArguments, big, bigArguments] = process.argv.slice(2);
const publicOrigin = new URL(url).origin;

/** Stands for the proxy before the gateway: the public origin is reached at the real one. */
function proxied(log) {
  return async (target, init) => {
    const wanted = String(target);
    const response = await fetch(wanted.startsWith(publicOrigin) ? origin + wanted.slice(publicOrigin.length) : wanted, init);
    log.push(`${init?.method ?? 'GET'} ${wanted} ${response.status} ${response.headers.get('www-authenticate') ?? ''}`);
    return response;
  };
}

/** A user agent whose user agrees at once. */
class Agreeing {
  redirectUrl = 'http://127.0.0.1/callback';
  clientMetadata = { client_name: 'switchboard-test', redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' };
  clientInformation() { return this.client; }
  saveClientInformation(client) { this.client = client; }
  tokens() { return this.saved; }
  saveTokens(tokens) { this.saved = tokens; }
  saveCodeVerifier(verifier) { this.verifier = verifier; }
  codeVerifier() { return this.verifier; }
  saveDiscoveryState(state) { this.discovered = state; }
  discoveryState() { return this.discovered; }
  redirectToAuthorization(target) { this.asked = target; }
  /** What the authorization server sent back with the redirect. */
  async agree() {
    const response = await fetch(this.asked, { redirect: 'manual' });
    assert.equal(response.status, 302);
    return new URL(response.headers.get('location')).searchParams;
  }
}

let failed = false;
for (const mode of [{ pin: '2026-07-28' }, 'legacy']) {
  const log = [];
  try {
    const provider = new Agreeing();
    const connect = async () => {
      const client = new Client({ name: 'switchboard-test', version: '1' }, { versionNegotiation: { mode } });
      const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: proxied(log), authProvider: provider });
      return { client, transport, done: client.connect(transport) };
    };
    const first = await connect();
    await assert.rejects(first.done, UnauthorizedError);
    await first.transport.finishAuth(await provider.agree());
    const { client, transport, done } = await connect();
    await done;
    const { tools } = await client.listTools();
    for (const name of [small, big]) assert.ok(tools.some(tool => tool.name === name), `${name} is listed`);
    assert.ok(!(await client.callTool({ name: small, arguments: JSON.parse(smallArguments) })).isError);
    await assert.rejects(client.callTool({ name: big, arguments: JSON.parse(bigArguments) }), UnauthorizedError);
    await transport.finishAuth(await provider.agree());
    const result = await client.callTool({ name: big, arguments: JSON.parse(bigArguments) });
    assert.ok(!result.isError, JSON.stringify(result));
    await client.close();
    assert.ok(log.some(line => / 401 Bearer resource_metadata=/.test(line)), '401 with a challenge');
    assert.ok(log.some(line => / 403 Bearer error="insufficient_scope"/.test(line)), '403 with a challenge');
    console.log('ok', JSON.stringify(mode));
  } catch (failure) {
    failed = true;
    console.log('FAILED', JSON.stringify(mode), failure, '\n' + log.join('\n'));
  }
}
process.exit(failed ? 1 : 0);
