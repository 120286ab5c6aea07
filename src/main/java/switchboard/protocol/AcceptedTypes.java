package switchboard.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The media types that the caller accepts.
 *
 * @param json a single JSON document
 * @param stream a stream of events
 */
public record AcceptedTypes(boolean json, boolean stream) {
    private static final AcceptedTypes EVERYTHING = new AcceptedTypes(true, true);

    /** Reads the {@code Accept} header; no header means everything. */
    public static AcceptedTypes of(@Nullable String header) {
        // What nearly every client sends, by the specification's example.
        return header == null || header.isBlank() || header.equals("application/json, text/event-stream")
                ? EVERYTHING
                : parsed(header);
    }

    private static AcceptedTypes parsed(String header) {
        boolean json = false;
        boolean stream = false;
        for (AcceptElement range : AcceptElement.of(header)) {
            String type = range.name();
            if (!range.refused()) {
                json |= type.equals("*/*") || type.equals("application/*") || type.equals("application/json");
                stream |= type.equals("*/*") || type.equals("text/*") || type.equals("text/event-stream");
            }
        }
        return new AcceptedTypes(json, stream);
    }

    /** Whether neither is welcome. */
    public boolean nothing() {
        return !json && !stream;
    }
}
