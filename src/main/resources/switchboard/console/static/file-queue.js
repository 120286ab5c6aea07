import { callIn } from './backend-tools.js';
import { isCodeFile } from './code-files.js';

const MOST_BYTES = 3 * 1024 * 1024;
const MOST_FILES = 500;
const TEXT = /\.(md|markdown|txt|text|html?|csv|tsv|json|jsonl|rst|adoc|org|log|ini|cfg|conf|properties)$/i;

/** The endings that the dialog for choosing files offers first. */
export const OFFERED = '.md,.markdown,.txt,.html,.htm,.csv,.tsv,.json,.rst,.adoc,.java,.py,.js,.ts,.go,.rs,.c,.h,.cpp,.cs,.rb,.php,.sql,.sh,.yaml,.yml,.toml,.xml,text/*';

/** Files that are added to a library, one after the other. It sends `changed`, and `ended` when none is left. */
export class FileQueue extends EventTarget {
  /** Each with `name`, `size`, `state` (`waiting`, `running`, `done`, `failed`, `stopped`) and `said`. */
  files = [];
  running = false;
  /** What can't be added at all, if so. */
  refused = '';
  #abort = null;

  constructor(backend, library) {
    super();
    this.backend = backend;
    this.library = library;
  }

  /** @param {File[]} files */
  add(files) {
    const room = Math.max(0, MOST_FILES - this.files.filter(({ state }) => state === 'waiting').length);
    this.refused = files.length > room ? `At most ${MOST_FILES} files wait at a time; ${files.length - room} were left out.` : '';
    this.files = [...this.files, ...files.slice(0, room).map(one)].slice(-2 * MOST_FILES);
    this.#run();
  }

  /** Tries one again that failed or was stopped. */
  again(file) {
    Object.assign(file, { state: 'waiting', said: '' });
    this.#run();
  }

  /** Stops; what is written stays. */
  stop() {
    this.files.filter(({ state }) => state === 'waiting').forEach(file => Object.assign(file, { state: 'stopped', said: 'stopped' }));
    this.#abort?.abort();
    this.#say('changed');
  }

  /** Takes away the lines of those that are over. */
  clear() {
    this.files = this.files.filter(({ state }) => state === 'waiting' || state === 'running');
    this.refused = '';
    this.#say('changed');
  }

  async #run() {
    this.#say('changed');
    if (this.running) return;
    this.running = true;
    for (let next; (next = this.files.find(({ state }) => state === 'waiting'));) await this.#add(next);
    this.running = false;
    this.#say('changed');
    this.#say('ended');
  }

  async #add(file) {
    const { signal } = (this.#abort = new AbortController());
    Object.assign(file, { state: 'running', said: 'adding …' });
    this.#say('changed');
    try {
      const content = await textOf(file.blob);
      signal.throwIfAborted();
      const { status, chunk_count: chunks } = await callIn(this.backend, 'ingest_text', { content, source: file.name, library: this.library }, { signal });
      Object.assign(file, { state: 'done', said: status === 'skipped' ? 'unchanged' : `${status}, ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}` });
    } catch (e) {
      Object.assign(file, signal.aborted ? { state: 'stopped', said: 'stopped' } : { state: 'failed', said: e.message });
    }
    this.#say('changed');
  }

  #say(name) {
    this.dispatchEvent(new Event(name));
  }
}

function one(blob) {
  const { name, size } = blob;
  const why = refusal(name, size);
  return { blob, name, size, state: why ? 'failed' : 'waiting', said: why, final: Boolean(why) };
}

function refusal(name, size) {
  if (!TEXT.test(name) && !isCodeFile(name)) return 'Not a text file. The command switchboard ingest takes it.';
  if (size > MOST_BYTES) return 'Larger than 3 MiB. The command switchboard ingest takes it.';
  return '';
}

async function textOf(blob) {
  let bytes;
  try {
    bytes = await blob.arrayBuffer();
  } catch {
    throw new Error('The file can’t be read. Has it been moved?');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('Its text is not UTF-8. Save it as UTF-8, or use the command switchboard ingest.');
  }
}
