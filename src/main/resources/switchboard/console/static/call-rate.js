const MINUTE = 60;
const SHORT = 10;

/** How many calls there were, and how many failed, second by second over the last minute. */
export class CallRate {
  #seconds = Array.from({ length: MINUTE }, () => ({ second: -1, calls: 0, failed: 0 }));

  /**
   * @param {number} at in ms since 1970
   * @param {number} calls
   * @param {number} failed
   */
  add(at, calls, failed) {
    const second = Math.floor(at / 1000);
    const place = this.#seconds[((second % MINUTE) + MINUTE) % MINUTE];
    if (place.second > second) return;
    if (place.second < second) Object.assign(place, { second, calls: 0, failed: 0 });
    place.calls += calls;
    place.failed += failed;
  }

  /** Calls per second over the last ten seconds. */
  perSecond(now) {
    return this.#sum(now, SHORT, 'calls') / SHORT;
  }

  /** The failures of the last minute. */
  failures(now) {
    return this.#sum(now, MINUTE, 'failed');
  }

  #sum(now, span, name) {
    const last = Math.floor(now / 1000);
    return this.#seconds.reduce((sum, place) => sum + (place.second > last - span && place.second <= last ? place[name] : 0), 0);
  }
}
