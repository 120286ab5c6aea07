package switchboard.backend.opensearch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.async.ForwardClock;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.upstream.UpstreamClient;

/** The mappings of indices, as they were at most a short time ago. Callers check whether a name may be used. Thread-safe. */
final class Mappings {
    private static final Duration LIFETIME = Duration.ofSeconds(30);
    private static final int MOST = 1_000;
    private static final int AT_A_TIME = 8;

    private final OpenSearchApi api;
    private final Cache<String, IndexMapping> known;

    Mappings(OpenSearchApi api, Clock clock) {
        this.api = api;
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(LIFETIME)
                .ticker(new ForwardClock(clock)::nanos)
                .build();
    }

    /** The mapping of an index; fails with {@code NOT_FOUND} if there is none of this name. */
    Future<IndexMapping> of(String name, CallContext context) {
        IndexMapping kept = known.getIfPresent(name);
        return kept != null
                ? Future.succeededFuture(kept)
                : api.mapping(name, context)
                        .map(answer -> {
                            IndexMapping mapping = IndexMapping.of(answer);
                            known.put(name, mapping);
                            return mapping;
                        })
                        .recover(thrown -> Future.failedFuture(
                                UpstreamClient.answeredTooMuch(thrown)
                                        ? new ToolException(
                                                FailureKind.INVALID_ARGUMENT,
                                                "The mapping of \"" + name
                                                        + "\" is larger than the gateway reads (connection.maxResponseSize)."
                                                        + " Name one of its indices, if it has several.")
                                        : thrown));
    }

    /** The mappings of {@code names}. One that can't be read is left out. */
    Future<Map<String, IndexMapping>> ofEach(List<String> names, CallContext context) {
        Future<Map<String, IndexMapping>> all = Future.succeededFuture(Map.of());
        for (int from = 0; from < names.size(); from += AT_A_TIME) {
            List<String> some = names.subList(from, Math.min(names.size(), from + AT_A_TIME));
            all = all.compose(before -> readable(some, context).map(more -> {
                Map<String, IndexMapping> both = new HashMap<>(before);
                both.putAll(more);
                return both;
            }));
        }
        return all;
    }

    private Future<Map<String, IndexMapping>> readable(List<String> names, CallContext context) {
        List<Future<Optional<IndexMapping>>> read = names.stream()
                .map(name -> of(name, context).map(Optional::of).otherwise(Optional.empty()))
                .toList();
        return Future.join(read).map(_ -> {
            Map<String, IndexMapping> found = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                read.get(i).result().ifPresent(mapping -> found.put(name, mapping));
            }
            return found;
        });
    }
}
