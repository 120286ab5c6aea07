package switchboard.store;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.Embedder;

/**
 * Embeds queries for the namespaces of a search. If that is not possible now, the search continues by keyword.
 * Thread-safe.
 */
public final class NamespaceQueryVectors {
    private final NamespaceEmbedders embedders;

    /** Uses the models of {@code embedders}. */
    public NamespaceQueryVectors(NamespaceEmbedders embedders) {
        this.embedders = embedders;
    }

    /**
     * The query's vectors, as far as they could be computed.
     *
     * @param values one vector for each model that the namespaces need
     * @param missing why some or all are missing
     */
    public record Attempt(List<SearchRequest.QueryVector> values, Optional<String> missing) {
        public Attempt {
            values = List.copyOf(values);
        }

        /** Why vectors were not used for some or all of {@code found}, and what to do; safe to show to callers. */
        public Optional<String> notUsed(SearchResult found) {
            if (values.isEmpty()) {
                return missing.or(found::vectorsNotUsed);
            }
            return SearchResult.sentences(missing, found.vectorsNotUsed());
        }

        private static Attempt joined(List<Attempt> attempts) {
            return new Attempt(
                    attempts.stream()
                            .flatMap(attempt -> attempt.values().stream())
                            .toList(),
                    attempts.stream().map(Attempt::missing).reduce(Optional.empty(), SearchResult::sentences));
        }
    }

    /** Whether {@code namespace} has an embedding model. */
    public boolean configured(Namespace namespace) {
        return embedders.of(namespace).isPresent();
    }

    /**
     * Embeds {@code query} for {@code namespaces}. If that fails, the result says why; the future fails only if
     * keyword search must not replace it.
     */
    public Future<Attempt> of(String query, List<Namespace> namespaces) {
        Collection<Embedder> models = embedders.of(namespaces);
        if (models.isEmpty() && embedders.distinct().isEmpty()) {
            return Future.succeededFuture(new Attempt(List.of(), Optional.of("This gateway has no embedder.")));
        }
        return Future.all(models.stream().map(model -> of(query, model)).toList())
                .map(all -> Attempt.joined(Stream.concat(Stream.of(wordsOnly(namespaces)), all.<Attempt>list().stream())
                        .toList()));
    }

    private Attempt wordsOnly(List<Namespace> namespaces) {
        String names = namespaces.stream()
                .filter(namespace -> embedders.of(namespace).isEmpty())
                .map(Namespace::name)
                .sorted()
                .collect(Collectors.joining(", "));
        return new Attempt(
                List.of(),
                names.isEmpty() ? Optional.empty() : Optional.of("Configured without an embedder: " + names + "."));
    }

    private static Future<Attempt> of(String query, Embedder model) {
        if (!model.traits().languages().scripts().include(query)) {
            return Future.succeededFuture(new Attempt(
                    List.of(),
                    Optional.of("The model " + model.model() + " knows "
                            + model.traits().languages().scripts()
                            + " script only: this query was searched by its words.")));
        }
        return model.embedQuery(query)
                .map(values -> new Attempt(
                        List.of(new SearchRequest.QueryVector(model.model(), values, model.traits())),
                        Optional.empty()))
                .recover(failure -> failure instanceof ToolException known
                                && replaceable(known.failed().kind())
                        ? Future.succeededFuture(new Attempt(
                                List.of(), Optional.of(known.failed().message())))
                        : Future.failedFuture(failure));
    }

    /** Whether keyword search may replace vectors after this kind of failure. */
    private static boolean replaceable(FailureKind kind) {
        return switch (kind) {
            case UNAVAILABLE, OVERLOADED, TIMEOUT, DENIED_UPSTREAM -> true;
            case INVALID_ARGUMENT, NOT_FOUND, CONFLICT, DENIED, CANCELLED, INTERNAL -> false;
        };
    }
}
