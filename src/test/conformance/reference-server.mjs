// A server made with the reference SDK, both eras on one URL; prints the port it listens on.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

const handler = createMcpHandler(() => {
  const server = new Server(
    { name: 'reference', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, prompts: {} } },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: [
      {
        name: 'add',
        description: 'Adds two numbers.',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
        },
        outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      },
    ],
  }));
  server.setRequestHandler('tools/call', async request => {
    const { a, b } = request.params.arguments;
    return { content: [{ type: 'text', text: `${a + b}` }], structuredContent: { sum: a + b } };
  });
  server.setRequestHandler('prompts/list', async () => ({ prompts: [{ name: 'hello', description: 'Says hello.' }] }));
  server.setRequestHandler('prompts/get', async () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello.' } }],
  }));
  return server;
});
const http = createServer(toNodeHandler(handler));
http.listen(0, '127.0.0.1', () => console.log(http.address().port));
process.stdin.on('end', () => process.exit(0)).resume();
