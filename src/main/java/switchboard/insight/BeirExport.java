package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A log as a judged set in the format of BEIR (Thakur et al. 2021): a document that was read after a search answers its
 * query. The id of a document is its address; its text is not in the log. Not thread-safe.
 */
public final class BeirExport {
    /** Ids of searches and their queries. */
    private final Map<String, String> queries = new HashMap<>();

    private final Map<String, Set<String>> used = new LinkedHashMap<>();
    private int withoutText;

    /**
     * What was written.
     *
     * @param queries how many queries have a judgment
     * @param withoutText how many searches have no text of their query
     */
    public record ExportedCounts(int queries, int judgments, int withoutText) {}

    /** Takes a line of the log into account; lines come in their order. */
    public void add(JsonNode line) {
        if (line.path("event").asText().equals(LoggedSearch.SEARCH)) {
            if (line.hasNonNull("query")) {
                queries.put(line.path("id").asText(), line.path("query").asText());
            } else {
                withoutText++;
            }
            return;
        }
        String query = queries.get(line.path("search").asText());
        if (query != null && line.hasNonNull("address")) {
            used.computeIfAbsent(query, _ -> new LinkedHashSet<>())
                    .add(line.path("address").asText());
        }
    }

    /** Writes the files of the set into {@code folder}, which is made if it is missing; files of the same names are replaced. Blocks. */
    public ExportedCounts write(Path folder) throws IOException {
        Map<String, Map<String, Integer>> grades = new LinkedHashMap<>();
        used.forEach((query, addresses) -> addresses.forEach(address ->
                grades.computeIfAbsent(query, _ -> new LinkedHashMap<>()).put(address, 1)));
        BeirFolder set = new BeirFolder(
                grades,
                used.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(LinkedHashSet::new)));
        set.write(folder);
        return new ExportedCounts(grades.size(), set.judgments(), withoutText);
    }
}
