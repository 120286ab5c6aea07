package switchboard.backend.vectordb;

import org.jspecify.annotations.Nullable;
import switchboard.convert.Source;

/** What a source gave when it was asked for its content. */
sealed interface Incoming {
    /** The content. */
    record Content(Source source, String fileType, @Nullable String lastModified) implements Incoming {}

    /** The source says that nothing changed since the version that is stored. */
    record Unchanged() implements Incoming {}
}
