package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.text.ClosestName;

/** The indices, aliases and data streams that a caller may see. */
record VisibleIndices(OpenSearchApi api, IndexNames names) {
    /** What a name stands for. */
    enum Kind {
        INDEX("index"),
        ALIAS("alias"),
        DATA_STREAM("data_stream");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Its name in answers. */
        String word() {
            return word;
        }
    }

    /**
     * A name.
     *
     * @param indices the indices that an alias stands for; else empty
     */
    record Entry(String name, Kind kind, List<String> indices) {}

    /** All that the caller may see, sorted by name. */
    Future<List<Entry>> all(CallContext context) {
        return api.names(context).map(answer -> {
            List<Entry> all = new ArrayList<>();
            collect(answer.path("indices"), Kind.INDEX, context.caller(), all);
            collect(answer.path("aliases"), Kind.ALIAS, context.caller(), all);
            collect(answer.path("data_streams"), Kind.DATA_STREAM, context.caller(), all);
            all.sort(Comparator.comparing(Entry::name));
            return all;
        });
    }

    /** The same without aliases of which every index is there itself, so that nothing is searched twice. */
    Future<List<Entry>> sources(CallContext context) {
        return all(context).map(all -> {
            Set<String> others = new HashSet<>();
            all.stream().filter(entry -> entry.kind() != Kind.ALIAS).forEach(entry -> others.add(entry.name()));
            return all.stream()
                    .filter(entry -> entry.kind() != Kind.ALIAS || !others.containsAll(entry.indices()))
                    .toList();
        });
    }

    private void collect(JsonNode given, Kind kind, Caller caller, List<Entry> into) {
        for (JsonNode entry : given) {
            String name = entry.path("name").asText();
            if (names.allow(name, caller)) {
                List<String> indices = new ArrayList<>();
                if (kind == Kind.ALIAS) {
                    // One index is a text in it, several are a list.
                    JsonNode behind = entry.path("indices");
                    if (behind.isTextual()) {
                        indices.add(behind.asText());
                    }
                    behind.forEach(index -> indices.add(index.asText()));
                }
                into.add(new Entry(name, kind, List.copyOf(indices)));
            }
        }
    }

    /** {@code failure} with the most similar name that the caller may see, if it says that there is no index {@code name}. */
    Future<ToolReply> suggest(Throwable failure, String name, CallContext context) {
        if (!(failure instanceof ToolException refused)) {
            return Future.failedFuture(failure);
        }
        ToolReply.Failed failed = refused.failed();
        if (!OpenSearchErrors.INDEX_NOT_FOUND.equals(failed.code())) {
            return Future.succeededFuture(failed);
        }
        return all(context)
                .map(all -> ClosestName.of(name, all.stream().map(Entry::name).toList()))
                .otherwise(Optional.empty())
                .map(near ->
                        near.map(found -> failed.suggesting(List.of(found))).orElse(failed));
    }
}
