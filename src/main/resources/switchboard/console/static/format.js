const NUMBER = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const UTC_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

/** A number with separators. */
export const number = value => NUMBER.format(value);

/** A large number in few characters: 48.2K. */
export const compact = value => COMPACT.format(value);

/**
 * A count with its noun: `1 hit`, `2 hits`.
 *
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A duration: `34 ms`, `1.2 s`. */
export const duration = ms => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A size: `812 B`, `3.1 KiB`, `1.4 GiB`. */
export const size = bytes => {
  const unit = Math.min(UNITS.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return unit ? `${(bytes / 1024 ** unit).toFixed(1)} ${UNITS[unit - 1]}` : `${bytes} B`;
};

/** The day of an ISO time; the text itself if it is none. */
export const day = iso => formatted(DAY, iso);

/** The day in UTC of an ISO time, for days that a file names. */
export const utcDay = iso => formatted(UTC_DAY, iso);

/** The time of day of an ISO time. */
export const time = iso => formatted(TIME, iso);

/** A score in at most four significant digits. */
export const score = value => String(Number(value.toPrecision(4)));

function formatted(format, iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? String(iso) : format.format(date);
}
