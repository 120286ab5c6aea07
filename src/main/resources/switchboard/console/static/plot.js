import { LitElement, html, nothing } from 'lit';
import { number } from './format.js';

const STYLES = new URL('./lib/uplot/uPlot.min.css', import.meta.url).href;
const STEPS = { time: 3600, day: 86_400, number: 1 };
const WHOLE = Array.from({ length: 13 }, (_, i) => [1, 2, 5].map(times => times * 10 ** i)).flat();
const LOOKS = ['accent', 'warn', 'good', 'bad'];
const HOUR = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const SCHEME = matchMedia('(prefers-color-scheme: dark)');

let library = null;

/** Loads uPlot and its styles, once, and only for a page that has a plot. */
function plotting() {
  library ??= import('uplot').then(module => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: STYLES });
    document.head.append(link);
    return module.default;
  }).catch(e => {
    library = null;
    throw e;
  });
  return library;
}

/**
 * A plot of one or more series over the same x, with what the pointer is at, and all of it as a table. Series of the kind
 * `bars` are drawn over each other, the first one at the back.
 *
 * @property {(number | null)[][]} data the values of x, in ascending order, then those of each series; null for none
 * @property {{label: string, kind?: 'line' | 'bars' | 'points', look?: 'accent' | 'warn' | 'good' | 'bad' | 'muted',
 *   format?: (value: number) => string}[]} series
 * @property {'time' | 'day' | 'number'} x what the values of x are: seconds since 1970, shown in the zone of the browser; the
 *   same, shown as days in UTC; or numbers
 * @property {string} label what a reader is told who can't see the plot
 * @property {string} xLabel the name of x, above the table
 * @property {(value: number) => string} xFormat how a value of x is written in the table
 * @property {number} height in pixels
 * @property {string} sync plots with the same word show the same place when the pointer is over one of them
 */
class ConsolePlot extends LitElement {
  static properties = { data: {}, series: {}, x: {}, label: {}, xLabel: {}, xFormat: {}, height: { type: Number }, sync: {}, at: { state: true }, opened: { state: true }, failed: { state: true } };

  #plot = null;
  #drawn = null;
  #size = new ResizeObserver(() => this.#fit());
  #recoloured = () => this.#draw();

  constructor() {
    super();
    this.data = [[]];
    this.series = [];
    this.x = 'number';
    this.label = '';
    this.xLabel = '';
    this.xFormat = null;
    this.height = 200;
    this.sync = '';
    this.at = null;
    this.opened = false;
    this.failed = false;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    SCHEME.addEventListener('change', this.#recoloured);
    this.#size.observe(this);
    if (this.hasUpdated) this.#draw();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    SCHEME.removeEventListener('change', this.#recoloured);
    this.#size.disconnect();
    this.#forget();
  }

  willUpdate(changed) {
    if (changed.has('data')) this.at = null;
  }

  updated(changed) {
    if (['data', 'series', 'x', 'height', 'sync'].some(name => changed.has(name))) this.#draw();
  }

  render() {
    return html`<div class="plot">
      <p class="plot-legend small">${this.series.map((one, i) => html`<span class="plot-entry"><span class="plot-key ${one.kind ?? 'line'} ${look(one, i)}" aria-hidden="true"></span>${one.label}${this.at === null ? nothing : html` <strong>${this.#value(i, this.at)}</strong>`}</span>`)}
        ${this.at === null ? nothing : html`<span class="muted">${this.#place(this.data[0][this.at])}</span>`}</p>
      <div class="plot-canvas" role="img" aria-label=${this.label}></div>
      ${this.failed ? html`<p class="small field-error" role="alert">The plot can’t be drawn. Its values are in the table.</p>` : nothing}
      <details class="plot-data" @toggle=${e => (this.opened = e.target.open)}><summary class="small">Values as a table<span class="unseen">: ${this.label}</span></summary>${this.opened ? this.#table() : nothing}</details>
    </div>`;
  }

  #table() {
    return html`<div class="plot-table" tabindex="0" role="group" aria-label=${this.label}><table>
      <caption class="unseen">${this.label}</caption>
      <thead><tr><th scope="col">${this.xLabel || (this.x === 'number' ? 'x' : 'Time')}</th>${this.series.map(one => html`<th scope="col">${one.label}</th>`)}</tr></thead>
      <tbody>${this.data[0].map((x, row) => html`<tr><th scope="row">${this.#place(x)}</th>${this.series.map((_, i) => html`<td>${this.#value(i, row)}</td>`)}</tr>`)}</tbody>
    </table></div>`;
  }

  #value(i, row) {
    const value = this.data[i + 1]?.[row] ?? null;
    return value === null ? '–' : (this.series[i].format ?? number)(value);
  }

  #place(x) {
    if (this.xFormat) return this.xFormat(x);
    return this.x === 'number' ? number(x) : (this.x === 'day' ? DAY : HOUR).format(new Date(x * 1000));
  }

  /** Draws it anew: colours and scales are those of now. */
  async #draw() {
    const drawn = (this.#drawn = {});
    let Plot;
    try {
      Plot = await plotting();
    } catch {
      this.failed = true;
      return;
    }
    if (drawn !== this.#drawn || !this.isConnected) return;
    this.#forget();
    this.failed = false;
    const place = this.querySelector('.plot-canvas');
    if (place.clientWidth) this.#plot = new Plot(this.#options(Plot, place), this.data, place);
  }

  #forget() {
    this.#plot?.destroy();
    this.#plot = null;
  }

  #fit() {
    const width = this.querySelector('.plot-canvas')?.clientWidth;
    if (!width) return;
    if (!this.#plot) this.#draw();
    else if (this.#plot.width !== width) this.#plot.setSize({ width, height: this.height });
  }

  #options(Plot, place) {
    const { color, borderTopColor, fontFamily } = getComputedStyle(place);
    const axis = { stroke: color, font: `12px ${fontFamily}`, grid: { stroke: borderTopColor, width: 1 }, ticks: { stroke: borderTopColor, width: 1, size: 4 } };
    const whole = this.data.slice(1).flat().every(value => value === null || Number.isInteger(value));
    const format = this.series[0]?.format ?? number;
    return {
      width: place.clientWidth,
      height: this.height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, sync: this.sync ? { key: this.sync } : undefined },
      tzDate: this.x === 'day' ? at => Plot.tzDate(new Date(at * 1000), 'UTC') : at => new Date(at * 1000),
      scales: {
        x: { time: this.x !== 'number', range: (_, from, to) => this.#room(from, to) },
        y: { range: (_, from, to) => (from === null ? [0, 1] : Plot.rangeNum(Math.min(0, from), Math.max(0, to) || 1, 0.1, true)) },
      },
      axes: [{ ...axis, space: 64 }, { ...axis, ...(whole ? { incrs: WHOLE } : {}), values: (_, at) => at.map(value => (value === null ? '' : format(value))), size: widest }],
      series: [{}, ...this.series.map((one, i) => this.#line(Plot, one, i))],
      hooks: { setCursor: [plot => (this.at = plot.cursor.idx ?? null)] },
    };
  }

  /** Bars and points at the ends need half a step more. */
  #room(from, to) {
    if (from === null) return [0, 1];
    const [xs] = this.data;
    const step = xs.slice(1).reduce((least, x, i) => Math.min(least, x - xs[i]), xs.length > 1 ? Infinity : STEPS[this.x]);
    return [from - step / 2, to + step / 2];
  }

  #line(Plot, one, i) {
    const { color } = getComputedStyle(this.querySelectorAll('.plot-key')[i]);
    const base = { label: one.label, stroke: color, width: 2, spanGaps: false };
    switch (one.kind) {
      case 'bars': return { ...base, width: 0, fill: color, paths: Plot.paths.bars({ size: [0.7, 48] }), points: { show: false } };
      case 'points': return { ...base, paths: () => null, points: { show: true, size: 8, fill: color, stroke: color } };
      default: return { ...base, points: { size: 5, fill: color, stroke: color } };
    }
  }
}

function look(one, i) {
  return `plot-${one.look ?? LOOKS[i % LOOKS.length]}`;
}

/** The room for the texts of an axis. */
function widest(plot, texts, at) {
  if (!texts) return 40;
  plot.ctx.save();
  [plot.ctx.font] = plot.axes[at].font;
  const most = Math.max(...texts.map(text => plot.ctx.measureText(text).width));
  plot.ctx.restore();
  return Math.ceil(most / devicePixelRatio) + 16;
}

customElements.define('console-plot', ConsolePlot);
