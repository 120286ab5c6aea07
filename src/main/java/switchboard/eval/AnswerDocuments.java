package switchboard.eval;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Finds the documents of a judged set in the answer of a search tool. A hit counts as a document if one of its values is the
 * document's id, or one of its addresses ends with it (before a file extension). The documents of {@code also_in} come after
 * that of their hit.
 */
public final class AnswerDocuments {
    private AnswerDocuments() {}

    /** The ids of the documents among {@code ids} in the first array of objects of {@code answer}, each once, best first. */
    public static List<String> of(JsonNode answer, Set<String> ids) {
        List<String> documents = new ArrayList<>();
        hits(answer).forEach(hit -> {
            add(hit, ids, documents);
            hit.path("also_in").forEach(copy -> add(copy, ids, documents));
        });
        return documents;
    }

    /** The hits of {@code answer}: its first array of objects. An empty one counts, too: what follows are no hits. */
    public static List<JsonNode> hits(JsonNode answer) {
        return StreamSupport.stream(answer.spliterator(), false)
                .filter(member ->
                        member.isArray() && (member.isEmpty() || member.path(0).isObject()))
                .findFirst()
                .map(hits -> hits.valueStream().toList())
                .orElse(List.of());
    }

    private static void add(JsonNode hit, Set<String> ids, List<String> documents) {
        document(hit, ids).filter(id -> !documents.contains(id)).ifPresent(documents::add);
    }

    private static Optional<String> document(JsonNode hit, Set<String> ids) {
        for (JsonNode value : hit) {
            if (value.isValueNode()) {
                String text = value.asText();
                String last = text.substring(text.lastIndexOf('/') + 1);
                int extension = last.lastIndexOf('.');
                String stem = extension > 0 ? last.substring(0, extension) : last;
                for (String id : List.of(text, last, stem)) {
                    if (value.isTextual() && ids.contains(id)) {
                        return Optional.of(id);
                    }
                }
            } else if (value.isObject()) {
                Optional<String> inner = document(value, ids);
                if (inner.isPresent()) {
                    return inner;
                }
            }
        }
        return Optional.empty();
    }
}
