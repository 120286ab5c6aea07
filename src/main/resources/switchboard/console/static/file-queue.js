const MOST_FILES = 500;

/** Files that are added to a library, one after the other. It sends `changed`, and `ended` when none is left. */
export class FileQueue extends EventTarget {
  /** Each with `name`, `size`, `state` (`waiting`, `running`, `done`, `failed`, `stopped`) and `said`. */
  files = [];
  running = false;
  /** What can't be added at all, if so. */
  refused = '';
  #abort = null;

  /**
   * @param {string} backend
   * @param {string} library
   * @param {typeof import('./file-adding.js').anyFiles} adding how they get there
   */
  constructor(backend, library, adding) {
    super();
    this.backend = backend;
    this.library = library;
    this.adding = adding;
  }

  /** @param {File[]} files */
  add(files) {
    const room = Math.max(0, MOST_FILES - this.files.filter(({ state }) => state === 'waiting').length);
    this.refused = files.length > room ? `At most ${MOST_FILES} files wait at a time; ${files.length - room} were left out.` : '';
    this.files = [...this.files, ...files.slice(0, room).map(blob => this.#one(blob))].slice(-2 * MOST_FILES);
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
    const say = said => {
      Object.assign(file, { state: 'running', said });
      this.#say('changed');
    };
    try {
      const { status, chunk_count: chunks } = await this.adding.add(file.blob, { backend: this.backend, library: this.library, signal, say });
      Object.assign(file, { state: 'done', said: status === 'skipped' ? 'unchanged' : `${status}, ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}` });
    } catch (e) {
      Object.assign(file, signal.aborted ? { state: 'stopped', said: 'stopped' } : { state: 'failed', said: e.message });
    }
    this.#say('changed');
  }

  #one(blob) {
    const { name, size } = blob;
    const why = this.adding.refusal(blob);
    return { blob, name, size, state: why ? 'failed' : 'waiting', said: why, final: Boolean(why) };
  }

  #say(name) {
    this.dispatchEvent(new Event(name));
  }
}
