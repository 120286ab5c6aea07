package switchboard.insight;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.eval.BeirFiles;
import switchboard.files.PrivateFiles;

/**
 * Judgments as files in the format of BEIR (Thakur et al. 2021). The id of a document is its address; its text is not in the log.
 *
 * @param grades by the text of a query, then by address
 * @param documents the addresses of all documents, also of those without a grade
 */
record BeirFolder(Map<String, Map<String, Integer>> grades, Set<String> documents) {
    /** Writes the files into {@code folder}, which is made if it is missing; files of the same names are replaced. Blocks. */
    void write(Path folder) throws IOException {
        StringBuilder asked = new StringBuilder();
        StringBuilder qrels = new StringBuilder(BeirFiles.HEADER).append('\n');
        grades.forEach((query, byAddress) -> {
            asked.append(BeirFiles.query(query)).append('\n');
            byAddress.forEach((address, grade) ->
                    qrels.append(BeirFiles.judgment(query, address, grade)).append('\n'));
        });
        String corpus = documents.stream()
                .map(address -> BeirFiles.document(address, "", "") + "\n")
                .collect(Collectors.joining());
        PrivateFiles.folders(folder);
        write(folder.resolve(BeirFiles.CORPUS), corpus);
        write(folder.resolve(BeirFiles.QUERIES), asked.toString());
        write(folder.resolve(BeirFiles.QRELS), qrels.toString());
    }

    int judgments() {
        return grades.values().stream().mapToInt(Map::size).sum();
    }

    private static void write(Path file, String text) throws IOException {
        PrivateFiles.replaceDurably(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
