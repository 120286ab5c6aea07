/** Listens to events of the window as long as a Lit element is in the page. */
export class WindowEvents {
  #listeners;

  /**
   * @param {import('lit').LitElement} host
   * @param {Record<string, (event: Event) => void>} listeners by the names of the events, such as `popstate`
   */
  constructor(host, listeners) {
    this.#listeners = Object.entries(listeners);
    host.addController(this);
  }

  hostConnected() {
    this.#listeners.forEach(([name, listener]) => window.addEventListener(name, listener));
  }

  hostDisconnected() {
    this.#listeners.forEach(([name, listener]) => window.removeEventListener(name, listener));
  }
}
