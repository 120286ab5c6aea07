package switchboard.store;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.FailureKind;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;
import switchboard.embed.Embedder;

/**
 * Embeds queries for the namespaces of a search. If that is not possible now, the search continues by keyword.
 * Thread-safe.
 */
public final class NamespaceQueryVectors {
    /** UTF-16 units of a query that are embedded. Models read a few hundred words, and services refuse very long texts. */
    private static final int MOST_EMBEDDED = 8192;

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
        /** No vectors, because nobody wants any. */
        public static final Attempt NOT_WANTED = new Attempt(List.of(), Optional.empty());

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
        return !embedders.of(namespace).isEmpty();
    }

    /**
     * Embeds {@code query}, or the beginning of a very long one, for {@code namespaces}, with each of their models that knows its
     * script. If that fails, the result says why; the future fails only if keyword search must not replace it.
     */
    public Future<Attempt> of(String query, List<Namespace> namespaces) {
        if (namespaces.stream().noneMatch(this::configured)
                && embedders.distinct().isEmpty()) {
            return Future.succeededFuture(new Attempt(List.of(), Optional.of("This gateway has no embedder.")));
        }
        String embedded = SourceQuery.beginning(query, MOST_EMBEDDED);
        List<ChunkEmbedders> searched =
                namespaces.stream().map(embedders::of).distinct().toList();
        Set<String> stored =
                searched.stream().flatMap(models -> models.name().stream()).collect(Collectors.toSet());
        List<Future<Attempt>> asked = byField(searched).stream()
                .filter(model -> ChunkEmbedders.reads(model, embedded))
                .map(model -> of(embedded, model, stored))
                .toList();
        return Future.all(asked)
                .map(all -> Attempt.joined(Stream.of(
                                Stream.of(wordsOnly(namespaces)),
                                Stream.of(unreadable(query, searched)),
                                all.<Attempt>list().stream())
                        .flatMap(attempts -> attempts)
                        .toList()));
    }

    /** One embedder for each field of vectors. */
    private static Collection<Embedder> byField(List<ChunkEmbedders> searched) {
        Map<String, Embedder> byField = new LinkedHashMap<>();
        searched.stream()
                .flatMap(models -> models.distinct().stream())
                .forEach(one -> byField.putIfAbsent(VectorFields.name(one.model(), one.dimension()), one));
        return byField.values();
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

    /** The models that don't know the query's script, where no other model of the same namespaces does. */
    private static Attempt unreadable(String query, List<ChunkEmbedders> searched) {
        String models = searched.stream()
                .filter(one -> one.distinct().stream().noneMatch(model -> ChunkEmbedders.reads(model, query)))
                .flatMap(one -> one.distinct().stream())
                .distinct()
                .map(model -> "The model " + model.model() + " knows "
                        + model.traits().languages().scripts() + " script only")
                .collect(Collectors.joining(". "));
        return new Attempt(
                List.of(),
                models.isEmpty() ? Optional.empty() : Optional.of(models + ": this query was searched by its words."));
    }

    private static Future<Attempt> of(String query, Embedder model, Set<String> stored) {
        return model.embedQuery(query)
                .map(values ->
                        new Attempt(List.of(SearchRequest.QueryVector.of(model, values, stored)), Optional.empty()))
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
