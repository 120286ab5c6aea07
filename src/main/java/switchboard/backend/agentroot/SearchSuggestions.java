package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import switchboard.backend.agentroot.Ranking.Ranked;
import switchboard.call.Json;
import switchboard.store.StoredDocument;

/** Suggests further searches, computed from the results. Deterministic. */
final class SearchSuggestions {
    private static final int DIRECTORIES = 5;
    private static final int CONCEPTS = 10;
    private static final int REFINEMENTS = 3;

    private SearchSuggestions() {}

    /** Suggestions after {@code query} found these documents. */
    static ObjectNode of(String query, List<Ranked> found) {
        List<StoredDocument> documents = found.stream().map(Ranked::document).toList();
        ObjectNode suggestions = Json.object();
        var directories = suggestions.putArray("related_directories");
        documents.stream()
                .map(document -> DocumentAddresses.uri(
                        document.namespace().name(), DocumentMetadata.directory(document.source())))
                .distinct()
                .limit(DIRECTORIES)
                .forEach(directories::add);
        List<String> concepts = concepts(documents);
        var related = suggestions.putArray("related_concepts");
        concepts.stream().limit(CONCEPTS).forEach(related::add);
        Set<String> asked = Set.of(words(query));
        var refinements = suggestions.putArray("refinement_queries");
        concepts.stream()
                .filter(concept -> Set.of(words(concept)).stream().noneMatch(asked::contains))
                .limit(REFINEMENTS)
                .forEach(concept -> refinements.add(query.strip() + " " + concept));
        return suggestions;
    }

    /** The commonest first, ties in alphabetical order. */
    private static List<String> concepts(List<StoredDocument> documents) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        documents.forEach(document ->
                DocumentMetadata.list(document, "concepts").forEach(concept -> counts.merge(concept, 1, Integer::sum)));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String[] words(String text) {
        return java.util.Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+"))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toArray(String[]::new);
    }
}
