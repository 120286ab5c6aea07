// A server of 2025-11-25 made with the reference SDK, on standard input and output or, with the argument http, over HTTP on the
// port that it prints. Its tool asks for a form, a model and roots, on no request's stream, and says what the client declared.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

function asking() {
  const asking = new McpServer({ name: 'asking', version: '1' });
  asking.registerTool('ask', { description: 'Asks everything.', inputSchema: {} }, async () => {
    const properties = { name: { type: 'string' } };
    const form = await asking.server.elicitInput({
      message: 'Your name?', requestedSchema: { type: 'object', properties, required: ['name'] },
    });
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say something.' } }];
    const model = await asking.server.createMessage({ messages, maxTokens: 5 });
    const { roots } = await asking.server.listRoots();
    const said = [form.content.name, model.content.text, roots[0].uri, asking.server.getClientCapabilities()];
    return { content: [{ type: 'text', text: JSON.stringify(said) }] };
  });
  return asking;
}

if (process.argv[2] === 'http') {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(id);
    if (id && !transport) {
      response.writeHead(404).end();
      return;
    }
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: begun => sessions.set(begun, transport),
      });
      await asking().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
  process.stdin.on('end', () => process.exit(0)).resume();
} else {
  await asking().connect(new StdioServerTransport());
}
