package switchboard.fetch;

import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;

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

    /**
     * The same as a part of {@code work}: with no more time than it has left, and cancelled with it.
     *
     * @return the document; fails with {@link ToolException}
     */
    default Future<FetchResult> get(URI uri, FetchLimits limits, HttpValidators conditional, Lifetime work) {
        Duration time = work.atMost(limits.timeout()).remaining();
        if (time.toMillis() < 1) {
            return Future.failedFuture(
                    new ToolException(FailureKind.TIMEOUT, "No time was left to fetch " + uri + ". Try again."));
        }
        return get(uri, new FetchLimits(limits.maxBytes(), time, limits.maxRedirects()), conditional, work::onCancel)
                .recover(failure ->
                        Future.failedFuture(failure instanceof FetchException e ? e.toToolException() : failure));
    }

    /** Closes connections and threads. Requests under way fail. */
    Future<Void> close();
}
