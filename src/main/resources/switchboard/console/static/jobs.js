import { CollectionUpdate } from './collection-update.js';
import { anyFiles, textFiles } from './file-adding.js';
import { FileQueue } from './file-queue.js';

/** What a person has started on the page: it goes on while the person looks at another source. */
export class Jobs {
  #all = new Map();

  /** Whether anything runs. */
  get running() {
    return [...this.#all.values()].some(job => job.running);
  }

  /** The files that are added to a library, in the way that the tools allow. */
  files(backend, library, tools) {
    return this.#job(JSON.stringify(['files', backend, library]), () => new FileQueue(backend, library, tools.has('ingest_file') ? anyFiles : textFiles));
  }

  /** The update of a collection. */
  update(backend, collection) {
    return this.#job(JSON.stringify(['update', backend, collection]), () => new CollectionUpdate(backend, collection));
  }

  /** Stops all. */
  stop() {
    this.#all.forEach(job => job.stop());
  }

  #job(key, make) {
    if (!this.#all.has(key)) this.#all.set(key, make());
    return this.#all.get(key);
  }
}
