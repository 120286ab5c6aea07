import { duration } from './format.js';

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** A duration, with a digit after the point where there is little of it: `0.4 ms`, `34 ms`, `1.2 s`. */
export const callMs = ms => (ms < 10 ? `${ms.toFixed(1)} ms` : duration(ms));

/** The time of day of an ISO time, with seconds. */
export const callTime = iso => TIME.format(new Date(iso));
