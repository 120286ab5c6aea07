/** Has a Lit element drawn again whenever a job says `changed`, and told when it has `ended`. */
export class WatchedJob {
  #host;
  #ended;
  #job = null;
  #changed = () => this.#host.requestUpdate();

  /**
   * @param {import('lit').LitElement} host
   * @param {() => void} ended
   */
  constructor(host, ended) {
    this.#host = host;
    this.#ended = ended;
  }

  /** @param {EventTarget | null} job null for none */
  watch(job) {
    if (job === this.#job) return;
    this.#job?.removeEventListener('changed', this.#changed);
    this.#job?.removeEventListener('ended', this.#ended);
    this.#job = job;
    job?.addEventListener('changed', this.#changed);
    job?.addEventListener('ended', this.#ended);
  }
}
