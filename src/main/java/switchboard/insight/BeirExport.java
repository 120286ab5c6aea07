package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.eval.BeirFiles;
import switchboard.files.PrivateFiles;

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
        StringBuilder asked = new StringBuilder();
        StringBuilder qrels = new StringBuilder(BeirFiles.HEADER).append('\n');
        Set<String> documents = new LinkedHashSet<>();
        used.forEach((query, addresses) -> {
            asked.append(BeirFiles.query(query)).append('\n');
            addresses.forEach(address ->
                    qrels.append(BeirFiles.judgment(query, address, 1)).append('\n'));
            documents.addAll(addresses);
        });
        String corpus = documents.stream()
                .map(address -> BeirFiles.document(address, "", "") + "\n")
                .collect(Collectors.joining());
        PrivateFiles.folders(folder);
        write(folder.resolve(BeirFiles.CORPUS), corpus);
        write(folder.resolve(BeirFiles.QUERIES), asked.toString());
        write(folder.resolve(BeirFiles.QRELS), qrels.toString());
        return new ExportedCounts(
                used.size(), used.values().stream().mapToInt(Set::size).sum(), withoutText);
    }

    private static void write(Path file, String text) throws IOException {
        PrivateFiles.replaceDurably(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
