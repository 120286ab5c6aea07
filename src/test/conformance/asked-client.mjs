// The reference client finds out the version, is asked everything by the tool "ask", and prints the version and the result.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client(
  { name: 'asked', version: '1' },
  { capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} }, versionNegotiation: { mode: 'auto' } },
);
client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }));
client.setRequestHandler('sampling/createMessage', async () => ({
  role: 'assistant', model: 'm', content: { type: 'text', text: 'Something.' },
}));
client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///here' }] }));
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
const result = await client.callTool({ name: 'ask', arguments: {} });
console.log(client.getNegotiatedProtocolVersion(), result.content[0].text);
await client.close();
