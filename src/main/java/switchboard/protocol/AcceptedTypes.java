package switchboard.protocol;

import java.util.Locale;
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
        for (String range : header.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = range.split(";");
            String type = parts[0].strip();
            if (!refused(parts)) {
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

    /** Whether one of the parameters is a quality of zero. */
    private static boolean refused(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].replace(" ", "");
            if (parameter.startsWith("q=0") && parameter.substring(2).chars().allMatch(c -> c == '0' || c == '.')) {
                return true;
            }
        }
        return false;
    }
}
