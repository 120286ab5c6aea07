package switchboard.fetch;

import io.vertx.core.Future;
import java.net.URI;
import java.util.function.Consumer;

/** Fetches documents from the web. Thread-safe; does not block. */
public interface Fetcher {
    /**
     * Fetches {@code uri}, following redirects.
     *
     * @param uri absolute, http or https; see {@link WebAddress#parse}
     * @param conditional validators of an earlier answer, or {@link HttpValidators#NONE}
     * @param onCancel receives an action that cancels the fetch
     * @return the document; fails with {@link FetchException}
     */
    Future<FetchResult> get(URI uri, FetchLimits limits, HttpValidators conditional, Consumer<Runnable> onCancel);

    /** The same without cancellation. */
    default Future<FetchResult> get(URI uri, FetchLimits limits, HttpValidators conditional) {
        return get(uri, limits, conditional, _ -> {});
    }

    /** Closes connections and threads. Requests under way fail. */
    Future<Void> close();
}
