package switchboard.protocol;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the caller can read.
 *
 * @param json a single JSON document
 * @param stream a stream of events
 */
public record Accept(boolean json, boolean stream) {
    /** Reads the {@code Accept} header; no header means everything. */
    public static Accept of(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return new Accept(true, true);
        }
        boolean json = false;
        boolean stream = false;
        for (String range : header.toLowerCase(Locale.ROOT).split(",")) {
            String type = range.split(";", 2)[0].strip();
            if (refused(range)) {
                continue;
            }
            json |= type.equals("*/*") || type.equals("application/*") || type.equals("application/json");
            stream |= type.equals("*/*") || type.equals("text/*") || type.equals("text/event-stream");
        }
        return new Accept(json, stream);
    }

    /** Whether neither is welcome. */
    public boolean nothing() {
        return !json && !stream;
    }

    private static boolean refused(String range) {
        return range.replace(" ", "").matches(".*;q=0(\\.0*)?(;.*)?");
    }
}
