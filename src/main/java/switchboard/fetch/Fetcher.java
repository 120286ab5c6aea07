package switchboard.fetch;

import io.vertx.core.Future;
import java.net.URI;
import java.util.function.Consumer;

/** Gets documents from the web. Thread-safe; never blocks the caller. */
public interface Fetcher {
    /**
     * Gets {@code uri}, following redirects.
     *
     * @param uri absolute, http or https; see {@link WebAddress#parse}
     * @param conditional what is known of an earlier answer, {@link Conditional#NONE} for nothing
     * @param onCancel is given what ends the fetch at once
     * @return the document, or a future failed with {@link FetchException}
     */
    Future<Fetched> get(URI uri, FetchLimits limits, Conditional conditional, Consumer<Runnable> onCancel);

    /** The same for a fetch that is never cancelled. */
    default Future<Fetched> get(URI uri, FetchLimits limits, Conditional conditional) {
        return get(uri, limits, conditional, _ -> {});
    }

    /** Lets go of connections and threads; requests under way fail. */
    Future<Void> close();
}
