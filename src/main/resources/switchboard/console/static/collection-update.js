import { callIn } from './backend-tools.js';

/** The update of one collection, while it runs and after it. It sends `changed`, and `ended` once. */
export class CollectionUpdate extends EventTarget {
  running = false;
  progress = null;
  result = null;
  error = null;
  cancelled = false;
  #abort = null;

  constructor(backend, collection) {
    super();
    this.backend = backend;
    this.collection = collection;
  }

  async start() {
    if (this.running) return;
    const { signal } = (this.#abort = new AbortController());
    Object.assign(this, { running: true, progress: null, result: null, error: null, cancelled: false });
    this.#say('changed');
    try {
      const onProgress = progress => {
        this.progress = progress;
        this.#say('changed');
      };
      this.result = await callIn(this.backend, 'collection_update', { name: this.collection }, { signal, onProgress });
    } catch (e) {
      if (signal.aborted) this.cancelled = true;
      else this.error = e;
    }
    this.running = false;
    this.#say('changed');
    this.#say('ended');
  }

  /** Cancels it; what is written stays. */
  stop() {
    this.#abort?.abort();
  }

  #say(name) {
    this.dispatchEvent(new Event(name));
  }
}
