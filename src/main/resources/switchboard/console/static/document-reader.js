import { call } from './mcp.js';
import { placeOf } from './passage-place.js';

/** Characters of one part, and how many parts are read at most to find a passage. */
const PART = 100_000;
const MOST_PARTS = 20;
/** Characters that are shown around a passage at first, and more at a time. */
const AROUND = 3_000;
const STEP = 8_000;

/**
 * Reads the document at an address.
 *
 * @param {string} address
 * @param {AbortSignal} signal
 */
export function atAddress(address, signal) {
  return offset => call('fetch_document', { address, offset, max_chars: PART }, { signal });
}

/** Reads one document in parts, and knows which piece of it is shown. */
export class DocumentReader {
  text = '';
  title = '';
  url = undefined;
  total = 0;
  /** The place of the passage, null if it is not known. */
  place = null;
  shown = { from: 0, to: 0 };
  #next = 0;
  #read;

  /** @param {(offset: number) => Promise<object>} read a part as `fetch_document` gives it */
  constructor(read) {
    this.#read = read;
  }

  /** Whether there is text behind what is shown. */
  get more() {
    return this.shown.to < this.text.length || this.#next !== undefined;
  }

  /**
   * Reads the beginning, and on until the passage is found.
   *
   * @param {string} passage may be empty
   */
  async open(passage) {
    await this.#part();
    for (let parts = 1; passage && !this.#found(passage) && this.#next !== undefined && parts < MOST_PARTS; parts++) {
      await this.#part();
    }
    const from = this.place ? this.place.from - AROUND : 0;
    const to = this.place ? this.place.to + AROUND : 2 * AROUND;
    this.#show(from, to);
  }

  /** Shows more in front. */
  before() {
    this.#show(this.shown.from - STEP, this.shown.to);
  }

  /** Shows more behind. */
  async after() {
    if (this.shown.to + STEP > this.text.length && this.#next !== undefined) await this.#part();
    this.#show(this.shown.from, this.shown.to + STEP);
  }

  /** The number of the first shown line, from 1. */
  get firstLine() {
    let line = 1;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < this.shown.from; at = this.text.indexOf('\n', at + 1)) line++;
    return line;
  }

  #found(passage) {
    this.place = placeOf(this.text, passage);
    return this.place !== null;
  }

  async #part() {
    const part = await this.#read(this.#next);
    this.text += part.text;
    this.title = part.title;
    this.url = part.url;
    this.total = part.total_chars;
    const onward = part.next_offset !== undefined && part.next_offset > this.#next;
    this.#next = onward ? part.next_offset : undefined;
  }

  /** Whole lines where they are short; almost all means all. */
  #show(from, to) {
    const least = from < AROUND / 2 ? 0 : from;
    const most = to > this.text.length - AROUND / 2 ? this.text.length : to;
    const start = this.text.lastIndexOf('\n', least - 1) + 1;
    const end = this.text.indexOf('\n', most - 1) + 1;
    this.shown = {
      from: least && least - start < AROUND ? start : least,
      to: end > 0 && end - most < AROUND ? end : most,
    };
  }
}
