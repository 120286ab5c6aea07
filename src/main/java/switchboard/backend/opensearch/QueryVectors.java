package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.Optional;
import switchboard.backend.QueryEmbedding;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.embed.Embedder;
import switchboard.embed.SourceEmbedders;

/** Finds the vector for a search: the caller's own, or one that the gateway's embedder makes of the question. */
record QueryVectors(SourceEmbedders models) {
    /**
     * The outcome.
     *
     * @param vector the vector, if there is one
     * @param note why there is none, if the caller should know
     */
    record Choice(Optional<SearchVector> vector, Optional<String> note) {
        static final Choice NONE = new Choice(Optional.empty(), Optional.empty());

        static Choice without(String why) {
            return new Choice(Optional.empty(), Optional.of(why));
        }
    }

    /** Whether {@code caller} can search by vector without one of its own. */
    boolean possible(String index, IndexMapping mapping, Caller caller) {
        return caller.may(Verb.EMBED, index)
                && models.of(index)
                        .flatMap(model -> mapping.vectorOf(model.dimension()))
                        .isPresent();
    }

    /** The vector for {@code query}; fails with {@code INVALID_ARGUMENT} if it asks for a search that is not possible. */
    Future<Choice> of(IndexQuery query, IndexMapping mapping, CallContext context) {
        if (query.mode() == SearchMode.KEYWORD || !query.options().sort().isEmpty()) {
            return Future.succeededFuture(Choice.NONE);
        }
        boolean asked = query.required();
        if (query.vector().isPresent()) {
            return Future.succeededFuture(own(query.vector().get(), mapping));
        }
        if (!query.hasText()) {
            return asked ? refused("needs query or vector") : Future.succeededFuture(Choice.NONE);
        }
        Optional<Embedder> embedder = models.of(query.index());
        Optional<MappedField> field = embedder.flatMap(found -> mapping.vectorOf(found.dimension()));
        if (embedder.isEmpty() || field.isEmpty()) {
            return asked ? refused(lacking(embedder, mapping)) : Future.succeededFuture(Choice.NONE);
        }
        if (!context.caller().may(Verb.EMBED, query.index())) {
            return missing(
                    query,
                    FailureKind.DENIED,
                    "Your team may not use the gateway's embedder (it lacks the verb embed on this index).");
        }
        return QueryEmbedding.of(query.text(), embedder)
                .compose(made -> made.isPresent()
                        ? Future.succeededFuture(new Choice(
                                Optional.of(new SearchVector(
                                        field.get(), Json.array(made.get().values()), made)),
                                Optional.empty()))
                        : missing(
                                query,
                                FailureKind.INVALID_ARGUMENT,
                                "The embedder does not know the script of the query."))
                .recover(thrown -> thrown instanceof ToolException failure
                        ? missing(
                                query, failure.failed().kind(), failure.failed().message())
                        : Future.failedFuture(thrown));
    }

    private static Choice own(JsonNode vector, IndexMapping mapping) {
        MappedField field = mapping.vectorOf(vector.size())
                .orElseThrow(() -> invalid("vector has " + vector.size() + " numbers, and the index has "
                        + (mapping.vectors().isEmpty() ? "no vector field" : "no vector field of this length")
                        + "; opensearch_get_mapping shows its vector fields"));
        return new Choice(Optional.of(new SearchVector(field, vector, Optional.empty())), Optional.empty());
    }

    private static String lacking(Optional<Embedder> embedder, IndexMapping mapping) {
        if (mapping.vectors().isEmpty()) {
            return "is not possible: the index has no vector field. Use keyword";
        }
        return embedder.isEmpty()
                ? "needs vector: the gateway has no embedder for this index"
                : "needs vector: the gateway's embedder gives " + embedder.get().dimension()
                        + " numbers, and no vector field of the index has that length";
    }

    /** Without a vector a search goes on by keywords, unless it must be by vector only. */
    private static Future<Choice> missing(IndexQuery query, FailureKind kind, String why) {
        return query.required() && query.mode() == SearchMode.VECTOR
                ? Future.failedFuture(new ToolException(kind, why + " Use another mode."))
                : Future.succeededFuture(Choice.without("It was searched by keywords only: " + why));
    }

    private static Future<Choice> refused(String why) {
        return Future.failedFuture(invalid("mode " + why));
    }

    private static ToolException invalid(String what) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, what + ".");
    }
}
