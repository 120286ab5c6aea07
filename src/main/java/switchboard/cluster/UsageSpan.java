package switchboard.cluster;

/**
 * Spans of the same length that follow each other.
 *
 * @param unit what a span is called
 * @param hours how long one is
 * @param before how long before 1970 one of them began, in hours
 * @param from the first hour of the first one
 * @param to the hour after the last one
 */
public record UsageSpan(String unit, long hours, long before, long from, long to) {}
