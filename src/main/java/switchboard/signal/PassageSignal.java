package switchboard.signal;

/**
 * All places of one kind in a passage. Component names are those on the wire.
 *
 * @param in the field that the first place is in, such as {@code text}, or {@code fields.author} for a value within one
 * @param start where the first place begins in the whole field, in UTF-16 units
 * @param end where it ends
 * @param count how many places there are in all fields
 */
public record PassageSignal(SignalKind kind, String in, int start, int end, int count) {
    PassageSignal and(PassageSignal later) {
        return new PassageSignal(kind, in, start, end, count + later.count);
    }
}
