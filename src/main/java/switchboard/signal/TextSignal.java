package switchboard.signal;

/**
 * All places of one kind in a text.
 *
 * @param start where the first one begins, in UTF-16 units
 * @param end where it ends
 * @param count how many there are
 */
public record TextSignal(SignalKind kind, int start, int end, int count) {}
