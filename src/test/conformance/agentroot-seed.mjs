// The workflows and every example of the documentation of agentroot's own server, over each generation of the official
// client. Arguments: URL of the view, folder of a project, folder of this repository. Exit code 0 if all went well.
import assert from 'node:assert/strict';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { tracing } from './exercise.mjs';

const [url, project, repository] = process.argv.slice(2);

/** The tools with the arguments that the documentation gives them; those with ! are required. */
const documented = {
  search: 'query! limit minScore collection provider category difficulty concept',
  vsearch: 'query! limit minScore collection provider category difficulty concept',
  query: 'query! limit collection provider category difficulty concept',
  smart_search: 'query! limit minScore collection',
  get: 'file! fromLine maxLines lineNumbers',
  multi_get: 'pattern! maxLines maxBytes lineNumbers',
  status: '',
  collection_add: 'name! path! pattern provider config',
  collection_remove: 'name!',
  collection_update: 'name!',
  metadata_add: 'docid! metadata!',
  metadata_get: 'docid!',
  metadata_query: 'field! operator! value limit',
  search_chunks: 'query! limit minScore collection label',
  get_chunk: 'chunk_hash! include_context',
  navigate_chunks: 'chunk_hash! direction!',
  session_start: 'ttl_seconds',
  session_get: 'session_id!',
  session_set: 'session_id! key! value!',
  session_end: 'session_id!',
  browse_directory: 'collection! path max_depth',
  search_directories: 'query! collection limit',
  batch_search: 'queries! detail session_id',
  explore: 'query! limit collection detail session_id',
  memory_store: 'content! category! confidence sessionId sourceQuery',
  memory_search: 'query! category limit',
  memory_list: 'category limit offset',
  memory_extract: 'sessionId!',
  memory_delete: 'id!',
};

/** What it says where nothing is given. */
const defaults = {
  search: { limit: 20 },
  vsearch: { limit: 20 },
  query: { limit: 20 },
  smart_search: { limit: 20 },
  multi_get: { maxBytes: 10240 },
  metadata_query: { limit: 20 },
  search_chunks: { limit: 10 },
  get_chunk: { include_context: false },
  session_start: { ttl_seconds: 3600 },
  browse_directory: { max_depth: 2 },
  search_directories: { limit: 10 },
  explore: { limit: 10 },
  memory_store: { confidence: 1 },
  memory_search: { limit: 20 },
  memory_list: { limit: 20, offset: 0 },
};

function schemas(tools) {
  assert.deepEqual(tools.map(tool => tool.name).sort(), Object.keys(documented).sort());
  for (const { name, inputSchema } of tools) {
    for (const argument of documented[name].split(' ').filter(Boolean)) {
      const bare = argument.replace('!', '');
      assert.ok(inputSchema.properties[bare], `${name} takes ${bare}`);
      assert.equal((inputSchema.required ?? []).includes(bare), argument.endsWith('!'), `${name} requires ${bare}`);
    }
    for (const [argument, value] of Object.entries(defaults[name] ?? {})) {
      assert.equal(inputSchema.properties[argument].default, value, `${name}.${argument}`);
    }
  }
}

async function workflow(client, patience) {
  schemas((await client.listTools()).tools);
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, `${name} ${JSON.stringify(args)}: ${JSON.stringify(result)}`);
    return result;
  };
  const data = async (name, args) => (await call(name, args)).structuredContent;

  // Collections: the project of the examples, and this repository.
  await data('collection_add', { name: 'myproject', path: project, pattern: '**/*' });
  await data('collection_update', { name: 'myproject' });
  await data('collection_add', { name: 'repository', path: repository, pattern: '**/*.{java,md,json,yaml}' });
  for (let done = false; !done; ) {
    const updated = await client.callTool({ name: 'collection_update', arguments: { name: 'repository' } }, ...patience);
    assert.ok(!updated.isError, JSON.stringify(updated));
    done = updated.structuredContent.complete;
  }
  const status = await data('status', {});
  assert.ok(status.totalDocuments > 300, JSON.stringify(status));
  const counted = status.collections.reduce((sum, one) => sum + one.documents, 0);
  assert.equal(status.totalDocuments, counted, JSON.stringify(status));

  // The examples of the search tools.
  const filtered = await data('search', { query: 'error handling', limit: 10, category: 'tutorial' });
  assert.ok(filtered.results.every(one => one.category.includes('tutorial')));
  assert.ok(filtered.results.some(one => one.file === 'myproject/docs/tutorial.md'));
  const shown = await call('search', { query: 'error handling', limit: 10, collection: 'myproject' });
  assert.match(shown.content[0].text, /^Found \d+ results for "error handling"$/);
  const first = shown.structuredContent.results[0];
  assert.match(first.docid, /^#[0-9a-f]{6}$/);
  assert.equal(first.file, 'myproject/src/error.rs');
  assert.ok(first.score > 0 && first.score <= 1);
  for (const name of ['vsearch', 'query', 'smart_search']) {
    assert.ok((await data(name, { query: 'how are errors handled' })).results.length > 0, name);
  }
  const batch = await data('batch_search', {
    queries: [{ query: 'error handling', limit: 5 }, { query: 'authentication', limit: 5 }],
    detail: 'L1',
  });
  assert.deepEqual(batch.batches.map(one => one.query), ['error handling', 'authentication']);
  assert.ok(batch.batches.every(one => one.count > 0 && one.count <= 5));
  const explored = await data('explore', { query: 'how does authentication work', limit: 10 });
  assert.ok(explored.results.length > 0 && explored.suggestions.related_directories.length > 0);

  // Documents.
  const got = await call('get', { file: first.docid });
  assert.equal(got.content[0].type, 'resource');
  assert.equal(got.content[0].resource.uri, 'agentroot://myproject/src/error.rs');
  const main = await call('get', { file: 'myproject/src/main.rs' });
  assert.match(main.content[0].resource.text, /fn main/);
  assert.equal((await data('multi_get', { pattern: 'myproject/src/*.rs' })).count, 3);

  // Metadata.
  await data('metadata_add', { docid: first.docid, metadata: { author: 'Alice', difficulty: 3 } });
  const { metadata } = await data('metadata_get', { docid: first.docid });
  assert.deepEqual(metadata.author, { type: 'Text', value: 'Alice' });
  const alices = await data('metadata_query', { field: 'author', operator: 'eq', value: 'Alice' });
  assert.deepEqual(alices.documents, [first.docid]);

  // Chunks of real code.
  const chunks = await data('search_chunks', { query: 'update collection', collection: 'repository', label: 'type:method' });
  assert.ok(chunks.results.length > 0 && chunks.results.every(one => one.type === 'Method'));
  const chunk = await data('get_chunk', { chunk_hash: chunks.results[0].chunk_hash, include_context: true });
  const step = chunk.next_chunk ? ['next', 'prev'] : ['prev', 'next'];
  const neighbour = await data('navigate_chunks', { chunk_hash: chunk.chunk_hash, direction: step[0] });
  const back = await data('navigate_chunks', { chunk_hash: neighbour.chunk_hash, direction: step[1] });
  assert.equal(back.chunk_hash, chunk.chunk_hash);

  // A session.
  const { session_id } = await data('session_start', { ttl_seconds: 7200 });
  await data('session_set', { session_id, key: 'project', value: 'agentroot' });
  await data('search', { query: 'error handling', session_id });
  const session = await data('session_get', { session_id });
  assert.equal(session.context.project, 'agentroot');
  assert.equal(session.queries.length, 1);
  assert.ok(session.seen_count > 0);
  await data('session_end', { session_id });

  // Directories.
  const listing = await data('browse_directory', { collection: 'myproject', path: 'src/search', max_depth: 1 });
  assert.deepEqual(listing.files.map(one => one.file), ['myproject/src/search/bm25.rs']);
  const directories = await data('search_directories', { query: 'agentroot', collection: 'repository', limit: 10 });
  assert.ok(directories.directories.some(one => one.path.endsWith('backend/agentroot')));

  // Memories.
  const stored = await data('memory_store', { content: 'User prefers Rust for backend services', category: 'preference', confidence: 0.9 });
  const found = await data('memory_search', { query: 'rust preferences', category: 'preference', limit: 10 });
  assert.deepEqual(found.memories.map(one => one.id), [stored.id]);
  assert.equal((await data('memory_list', {})).memories[0].content, 'User prefers Rust for backend services');
  await data('memory_delete', { id: stored.id });

  // Documents are resources as well.
  const { resources } = await client.listResources();
  assert.ok(resources.length >= 100); // one client gives a page of a hundred, the other all pages
  const contents = await client.readResource({ uri: 'agentroot://myproject/src/main.rs' });
  assert.match(contents.contents[0].text, /fn main/);
  const completed = await client.complete({
    ref: { type: 'ref/resource', uri: 'agentroot://{collection}/{+path}' },
    argument: { name: 'path', value: 'src/search/' },
  });
  assert.deepEqual(completed.completion.values, ['src/search/bm25.rs']);

  for (const name of ['myproject', 'repository']) {
    await data('collection_remove', { name });
  }
}

// What is behind the arguments of callTool differs: time for long updates is its last part.
const clients = [
  ['2025-11-25', async fetch => {
    const client = new ClientV1({ name: 'switchboard-test', version: '1' });
    await client.connect(new TransportV1(new URL(url), { fetch }));
    return client;
  }, [undefined, { timeout: 600000 }]],
  ['2026-07-28', async fetch => {
    const client = new ClientV2({ name: 'switchboard-test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new TransportV2(new URL(url), { fetch }));
    return client;
  }, [{ timeout: 600000 }]],
];
let failed = false;
for (const [version, connect, patience] of clients) {
  const wire = tracing();
  try {
    const client = await connect(wire.fetch);
    await workflow(client, patience);
    await client.close();
    console.log('ok', version);
  } catch (failure) {
    failed = true;
    console.log('FAILED', version, failure, '\n' + wire.log.slice(-6).join('\n'));
  }
}
process.exit(failed ? 1 : 0);
