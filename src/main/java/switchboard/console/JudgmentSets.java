package switchboard.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.eval.BeirFiles;
import switchboard.files.PrivateFiles;
import switchboard.files.TeamFolders;
import switchboard.text.SurrogatePairs;

/**
 * What people say of answers, a folder for each team, in the format of BEIR (Thakur et al. 2021) that {@code switchboard
 * eval} reads: {@code corpus.jsonl}, {@code queries.jsonl} and {@code qrels.tsv}. The id of a document is its address; the
 * grade is 1 for a text that answers the query, and 0 for one that does not. Thread-safe.
 */
public final class JudgmentSets {
    /** How many judgments a set may have. */
    public static final int MOST = 2000;

    /** The longest query, in characters. */
    public static final int LONGEST_QUERY = 2000;

    /** The longest address, in characters. */
    public static final int LONGEST_ADDRESS = 4000;

    private static final int LONGEST_TITLE = 500;
    private static final int LONGEST_TEXT = 8000;

    private final Path folder;
    private final BlockingExecutor executor;

    /**
     * Whether a text answers a query.
     *
     * @param address where the text is
     * @param title its document's title; a long one is shortened
     * @param text the text, for those who read the set; a long one is shortened
     */
    public record Judgment(String query, String address, String title, String text, boolean answers) {
        public Judgment {
            title = SurrogatePairs.start(title, LONGEST_TITLE);
            text = SurrogatePairs.start(text, LONGEST_TEXT);
        }

        private boolean isOf(String otherQuery, String otherAddress) {
            return query.equals(otherQuery) && address.equals(otherAddress);
        }
    }

    /**
     * Sets in {@code folder}.
     *
     * @param executor does the work; one piece at a time
     */
    public JudgmentSets(Path folder, BlockingExecutor executor) {
        this.folder = folder;
        this.executor = executor;
    }

    /** The name of the set of {@code team}: its folder. */
    public String set(String team) {
        return TeamFolders.name(team);
    }

    /** What {@code team} has said of the answers to {@code query}. */
    public Future<List<Judgment>> of(String team, String query) {
        return executor.run(team, () -> false, () -> read(team, Map.of()).stream()
                .filter(judgment -> judgment.query().equals(query))
                .toList());
    }

    /** Adds {@code judgment}, in place of one of the same query and address; how many there are then, empty if there is no room. */
    public Future<OptionalInt> add(String team, Judgment judgment) {
        return executor.run(team, () -> false, () -> {
            List<Judgment> all = read(team);
            all.removeIf(other -> other.isOf(judgment.query(), judgment.address()));
            if (all.size() >= MOST) {
                return OptionalInt.empty();
            }
            all.add(judgment);
            write(team, all, List.of(BeirFiles.CORPUS, BeirFiles.QUERIES, BeirFiles.QRELS));
            return OptionalInt.of(all.size());
        });
    }

    /** Removes what was said, if anything was; how many there are then. */
    public Future<Integer> remove(String team, String query, String address) {
        return executor.run(team, () -> false, () -> {
            List<Judgment> all = read(team);
            if (all.removeIf(judgment -> judgment.isOf(query, address))) {
                write(team, all, List.of(BeirFiles.QRELS, BeirFiles.QUERIES, BeirFiles.CORPUS));
            }
            return all.size();
        });
    }

    private List<Judgment> read(String team) {
        Path corpus = folder.resolve(set(team)).resolve(BeirFiles.CORPUS);
        try {
            return read(team, Files.exists(corpus) ? byId(corpus) : Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The judgments with those of {@code texts}, by address, that are known: many of them take long to read. */
    private List<Judgment> read(String team, Map<String, JsonNode> texts) {
        Path place = folder.resolve(set(team));
        if (!Files.exists(place.resolve(BeirFiles.QRELS))) {
            return new ArrayList<>();
        }
        try {
            Map<String, JsonNode> queries = byId(place.resolve(BeirFiles.QUERIES));
            List<Judgment> all = new ArrayList<>();
            for (String line : Files.readAllLines(place.resolve(BeirFiles.QRELS))) {
                String[] columns = line.split("\t", -1);
                JsonNode query = queries.get(columns[0]);
                if (columns.length == 3 && query != null) {
                    JsonNode text = texts.getOrDefault(columns[1], Json.object());
                    all.add(new Judgment(
                            query.path("text").asText(),
                            columns[1],
                            text.path("title").asText(),
                            text.path("text").asText(),
                            columns[2].equals("1")));
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, JsonNode> byId(Path file) throws IOException {
        Map<String, JsonNode> found = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode one = Json.parse(line);
            found.put(one.path("_id").asText(), one);
        }
        return found;
    }

    /**
     * Writes the files in {@code order}: what judgments need before they are there, and after they are gone, so that none is
     * without its text or query if the process ends meanwhile.
     */
    private void write(String team, List<Judgment> all, List<String> order) {
        Set<String> queries = new LinkedHashSet<>();
        Map<String, String> texts = new LinkedHashMap<>();
        StringBuilder qrels = new StringBuilder(BeirFiles.HEADER).append('\n');
        for (Judgment judgment : all) {
            queries.add(BeirFiles.query(judgment.query()));
            // A page that shows titles only has no texts.
            texts.merge(
                    judgment.address(),
                    BeirFiles.document(judgment.address(), judgment.title(), judgment.text()),
                    (one, other) -> one.length() < other.length() ? other : one);
            qrels.append(BeirFiles.judgment(judgment.query(), judgment.address(), judgment.answers() ? 1 : 0))
                    .append('\n');
        }
        Path place = folder.resolve(set(team));
        try {
            PrivateFiles.folders(place);
            Map<String, String> files = Map.of(
                    BeirFiles.CORPUS, String.join("\n", texts.values()),
                    BeirFiles.QUERIES, String.join("\n", queries),
                    BeirFiles.QRELS, qrels.toString());
            for (String file : order) {
                PrivateFiles.replaceDurably(
                        place.resolve(file), files.getOrDefault(file, "").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
