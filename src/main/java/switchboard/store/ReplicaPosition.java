package switchboard.store;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the files of a namespace follow a library in a shared database. It is in the commit that it describes, so that files and
 * position are one.
 *
 * @param library the incarnation of the library
 * @param position its newest change that the files have
 * @param operation the id of that change
 * @param changed when that change was made
 * @param built up to which key the documents of the library were read, while the files are being built; null when they are complete
 */
public record ReplicaPosition(
        String library,
        long position,
        String operation,
        Instant changed,
        @Nullable String built) {
    private static final String LIBRARY = "library";
    private static final String POSITION = "position";
    private static final String OPERATION = "operation";
    private static final String FOLLOWED = "followed";
    private static final String BUILT = "built";

    /** Whether the files have all documents. */
    public boolean complete() {
        return built == null;
    }

    /** The same when the documents up to the key {@code key} were read; all if it is null. */
    public ReplicaPosition built(@Nullable String key) {
        return new ReplicaPosition(library, position, operation, changed, key);
    }

    static @Nullable ReplicaPosition of(Map<String, String> data) {
        String library = data.get(LIBRARY);
        return library == null
                ? null
                : new ReplicaPosition(
                        library,
                        Long.parseLong(data.getOrDefault(POSITION, "0")),
                        data.getOrDefault(OPERATION, ""),
                        Instant.parse(data.getOrDefault(FOLLOWED, Instant.EPOCH.toString())),
                        data.get(BUILT));
    }

    void write(Map<String, String> data) {
        data.put(LIBRARY, library);
        data.put(POSITION, Long.toString(position));
        data.put(OPERATION, operation);
        data.put(FOLLOWED, changed.toString());
        if (built != null) {
            data.put(BUILT, built);
        }
    }
}
