package switchboard.fetch;

import io.vertx.core.Future;
import java.net.URI;

/** Gets documents from the web. Thread-safe; never blocks the caller. */
public interface Fetcher {
    /**
     * Gets {@code uri}, following redirects.
     *
     * @param uri absolute, http or https; see {@link WebAddress#parse}
     * @param conditional what is known of an earlier answer, {@link Conditional#NONE} for nothing
     * @return the document, or a future failed with {@link FetchException}
     */
    Future<Fetched> get(URI uri, FetchLimits limits, Conditional conditional);

    /** Lets go of connections and threads; requests under way fail. */
    Future<Void> close();
}
