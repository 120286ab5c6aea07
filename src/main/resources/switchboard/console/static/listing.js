/** A list that a Lit element reads and shows. Of several that were asked for only the last one counts. */
export class Listing {
  /** The list; null before it is there, and after a failure. */
  value = null;
  /** Why it could not be read; null if it could. */
  error = null;
  /** Whether it is being read. */
  busy = false;
  #host;
  #asked = 0;

  /** @param {import('lit').LitElement} host is drawn again when something has changed */
  constructor(host) {
    this.#host = host;
  }

  /** Forgets the list, because another one is to be shown. */
  clear() {
    this.value = null;
  }

  /**
   * Reads it.
   *
   * @param {() => Promise<object>} read
   * @returns {Promise<object | null>} the list; null if it could not be read, or another one was asked for
   */
  async load(read) {
    const asked = ++this.#asked;
    this.busy = true;
    this.error = null;
    this.#host.requestUpdate();
    let value = null;
    let error = null;
    try {
      value = await read();
    } catch (e) {
      error = e;
    }
    if (asked !== this.#asked) return null;
    Object.assign(this, { value, error, busy: false });
    this.#host.requestUpdate();
    return value;
  }
}
