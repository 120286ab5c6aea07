package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import switchboard.call.CallContext;
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
     * @param indices the indices that an alias or a data stream stands for; else empty
     */
    record Entry(String name, Kind kind, List<String> indices) {
        /** Whether it stands for several indices. */
        boolean several() {
            return indices.size() > 1;
        }
    }

    /** All that the caller may see, sorted by name. Fails with {@code DENIED} if its team's filter can't be made. */
    Future<List<Entry>> all(CallContext context) {
        TeamFilter.check(context.caller());
        return api.names(context).map(answer -> {
            List<Entry> all = new ArrayList<>();
            for (JsonNode index : answer.path("indices")) {
                all.add(new Entry(index.path("name").asText(), Kind.INDEX, List.of()));
            }
            for (JsonNode stream : answer.path("data_streams")) {
                all.add(new Entry(
                        stream.path("name").asText(), Kind.DATA_STREAM, texts(stream.path("backing_indices"))));
            }
            aliases(answer).forEach((name, indices) -> all.add(new Entry(name, Kind.ALIAS, List.copyOf(indices))));
            return all.stream()
                    .filter(entry -> names.allow(entry.name(), context.caller()))
                    .sorted(Comparator.comparing(Entry::name))
                    .toList();
        });
    }

    /** Some security plugins leave out the list of aliases, but not those of each index. */
    private static SortedMap<String, SortedSet<String>> aliases(JsonNode answer) {
        SortedMap<String, SortedSet<String>> aliases = new TreeMap<>();
        for (JsonNode alias : answer.path("aliases")) {
            aliases.computeIfAbsent(alias.path("name").asText(), _ -> new TreeSet<>())
                    .addAll(texts(alias.path("indices")));
        }
        for (JsonNode index : answer.path("indices")) {
            for (String alias : texts(index.path("aliases"))) {
                aliases.computeIfAbsent(alias, _ -> new TreeSet<>())
                        .add(index.path("name").asText());
            }
        }
        return aliases;
    }

    /** A list of one is a text in some answers. */
    private static List<String> texts(JsonNode list) {
        if (list.isTextual()) {
            return List.of(list.asText());
        }
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /**
     * The same so that nothing is searched twice: an alias of several indices stands for these, and one of a single index, or
     * of a data stream, is left out if that is there itself.
     */
    Future<List<Entry>> sources(CallContext context) {
        return all(context).map(all -> {
            Set<String> streams = members(all, entry -> entry.kind() == Kind.DATA_STREAM);
            Set<String> several = members(all, entry -> entry.kind() == Kind.ALIAS && entry.several());
            Set<String> there = new HashSet<>(streams);
            all.stream().filter(entry -> entry.kind() == Kind.INDEX).forEach(entry -> there.add(entry.name()));
            return all.stream()
                    .filter(entry -> switch (entry.kind()) {
                        case INDEX -> !several.contains(entry.name());
                        case DATA_STREAM -> true;
                        case ALIAS -> !(entry.several() ? streams : there).containsAll(entry.indices());
                    })
                    .toList();
        });
    }

    private static Set<String> members(List<Entry> all, Predicate<Entry> which) {
        return all.stream()
                .filter(which)
                .flatMap(entry -> entry.indices().stream())
                .collect(Collectors.toSet());
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
