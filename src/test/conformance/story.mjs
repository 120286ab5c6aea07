// What every kind of client goes through with a gateway that has the backend vectordb: connect, list, call, see a failure
// as a result, hear of progress, take a call back, and find everything again after a restart of the server.
import assert from 'node:assert/strict';
import readline from 'node:readline';

const TIMEOUT = 300_000;
const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Has the test restart the server, and waits until it serves again. */
export async function restart() {
  console.log('restart');
  assert.equal((await lines.next()).value, 'restarted');
}

/**
 * Tells the story to one kind of client.
 *
 * @param name what to call it
 * @param connect gives a connected client with `listTools()`, `call(name, arguments, options)` and `close()`
 * @param survives whether the same client goes on after a restart; a new one does in any case
 */
export async function story(name, connect, survives) {
  const source = `${name}-zebra`;
  const call = async (client, tool, args, options = {}) => client.call(tool, args, { timeout: TIMEOUT, ...options });
  const client = await connect();
  const { tools } = await client.listTools();
  assert.ok(tools.some(tool => tool.name === 'ingest_text'), 'ingest_text is listed');

  const progress = [];
  const stored = await call(client, 'ingest_text', { content: 'Zebras have stripes. '.repeat(400), title: 'Zebras', source },
    { onprogress: event => progress.push(event.progress) });
  assert.ok(!stored.isError, JSON.stringify(stored));
  // A client of this SDK loses the progress that it reads together with the answer, so none may have been heard here.
  assert.deepEqual(progress, [...progress].sort((a, b) => a - b), 'progress grows');

  const failure = await call(client, 'get_document', { doc_id: 'there-is-none' });
  assert.equal(failure.isError, true, JSON.stringify(failure));

  const cancel = new AbortController();
  // Each sentence is another one, because texts that were embedded before take no time.
  const sentences = Array.from({ length: 8_000 }, (_, number) => `Sentence ${number} of ${name} takes its time to embed. `);
  const endless = { content: sentences.join(''), title: 'Endless', source: `${name}-endless` };
  await assert.rejects(call(client, 'ingest_text', endless, { signal: cancel.signal, onprogress: () => cancel.abort() }));
  assert.ok(cancel.signal.aborted, 'progress was heard');
  assert.deepEqual(await sources(call, client), [source], 'a call that was taken back leaves nothing');

  await restart();
  if (survives) {
    assert.deepEqual(await sources(call, client), [source], 'the same client goes on');
  } else {
    await client.close().catch(() => {});
  }
  const again = survives ? client : await connect();
  const found = await call(again, 'search', { query: 'stripes' });
  assert.ok(JSON.stringify(found).includes(source), 'what was stored is there');
  const { documents } = JSON.parse((await call(again, 'list_documents', {})).content[0].text);
  for (const document of documents) {
    await call(again, 'delete_document', { doc_id: document.doc_id });
  }
  await again.close();
  console.log('ok', name);
}

async function sources(call, client) {
  const listed = await call(client, 'list_documents', {});
  assert.ok(!listed.isError, JSON.stringify(listed));
  return JSON.parse(listed.content[0].text).documents.map(document => document.source);
}

/** Runs the stories one after the other; the process ends with 0 if all went well. */
export async function tell(stories) {
  for (const one of stories) {
    try {
      await one();
    } catch (failure) {
      console.log('FAILED', failure);
      process.exit(1);
    }
  }
  process.exit(0);
}
