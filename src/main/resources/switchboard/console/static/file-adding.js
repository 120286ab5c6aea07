import { sendBytes, sendJson } from './api.js';
import { callIn } from './backend-tools.js';
import { isCodeFile } from './code-files.js';

const MIB = 1024 * 1024;
const TEXT = /\.(md|markdown|txt|text|html?|csv|tsv|json|jsonl|rst|adoc|org|log|ini|cfg|conf|properties)$/i;
const TEXTS = '.md,.markdown,.txt,.html,.htm,.csv,.tsv,.json,.rst,.adoc,.java,.py,.js,.ts,.go,.rs,.c,.h,.cpp,.cs,.rb,.php,.sql,.sh,.yaml,.yml,.toml,.xml,text/*';

/**
 * How files of any kind get into a library: they are uploaded, and the gateway reads them. `accept` is what the dialog for
 * choosing files offers first, `refusal` says why one can't be added, and `add` adds one and returns the tool's answer.
 */
export const anyFiles = {
  label: 'Add files',
  hint: 'PDF, Word, PowerPoint, Excel, HTML, Markdown, CSV, JSON, text, code and ZIP files of these; at most 64 MiB each',
  accept: `.pdf,.docx,.doc,.pptx,.ppt,.xlsx,.xls,.zip,${TEXTS}`,
  refusal: ({ size }) => (size > 64 * MIB ? 'Larger than 64 MiB.' : ''),
  async add(blob, { backend, library, signal, say }) {
    say('uploading …');
    const { path } = await sendBytes(`api/v1/uploads?${new URLSearchParams({ name: blob.name })}`, await bytesOf(blob), signal);
    try {
      return await callIn(backend, 'ingest_file', { path, library }, { signal, onProgress: ({ message }) => message && say(message) });
    } catch (e) {
      await remove(path);
      throw e;
    }
  },
};

/** The same for texts in UTF-8, for who may not use `ingest_file`. */
export const textFiles = {
  label: 'Add text files',
  hint: 'Markdown, text, HTML, CSV, JSON, code; at most 3 MiB each',
  accept: TEXTS,
  refusal: ({ name, size }) => {
    if (!TEXT.test(name) && !isCodeFile(name)) return 'Not a text file. Adding it takes the tool ingest_file, which you may not use.';
    return size > 3 * MIB ? 'Larger than 3 MiB.' : '';
  },
  async add(blob, { backend, library, signal, say }) {
    say('adding …');
    const content = textOf(await bytesOf(blob));
    signal.throwIfAborted();
    return callIn(backend, 'ingest_text', { content, source: blob.name, library }, { signal });
  },
};

/** It would take room for an hour. If this fails, too, it does. */
async function remove(path) {
  await sendJson('DELETE', `api/v1/uploads?${new URLSearchParams({ path })}`).catch(() => {});
}

async function bytesOf(blob) {
  try {
    return await blob.arrayBuffer();
  } catch {
    throw new Error('The file can’t be read. Has it been moved?');
  }
}

function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('Its text is not UTF-8. Save it as UTF-8.');
  }
}
