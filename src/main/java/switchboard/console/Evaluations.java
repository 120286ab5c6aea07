package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import switchboard.concurrent.BlockingExecutor;
import switchboard.eval.JudgedSet;

/**
 * The judged sets that people may evaluate: a team its own, an operator also those that belong to no team. Other folders of
 * the disk are out of reach: a name is looked up among the sets, and never becomes a path. Thread-safe.
 */
public final class Evaluations {
    /** The most queries that a set may have here. */
    public static final int MOST_QUERIES = 2000;

    private static final int MOST_LISTED = 200;
    private static final int MOST_DOCUMENTS = 500_000;
    private static final long MOST_BYTES = 256L * 1024 * 1024;
    private static final String OF_A_TEAM = "team-";

    private static final SetLookup EMPTY =
            new SetLookup.UnusableSet("The set has no query with an answer yet. Judge hits on the Search page first.");

    private static final SetLookup TOO_LARGE = new SetLookup.UnusableSet(
            "The set is too large for this page: it may have " + MOST_QUERIES + " queries, " + MOST_DOCUMENTS
                    + " documents and " + MOST_BYTES / 1024 / 1024 + " MiB. The command eval takes it.");

    private final Path folder;
    private final JudgmentSets judgments;
    private final BlockingExecutor executor;

    /**
     * Somebody who wants to evaluate.
     *
     * @param operator whether that person is an operator of the whole gateway
     */
    public record Evaluator(String team, boolean operator) {}

    /**
     * A set that one may evaluate.
     *
     * @param queries how many of its queries have an answer
     */
    public record SetSummary(String name, int queries) {}

    /** The set of a name, or why there is none to evaluate. */
    public sealed interface SetLookup {
        /** A set with at least one query. */
        record FoundSet(JudgedSet set) implements SetLookup {
            /** An evaluation that has measured nothing yet; {@code arguments} are those of each configuration. */
            public JudgedRun run(List<ObjectNode> arguments) {
                return new JudgedRun(set, arguments);
            }
        }

        /** A set that can't be evaluated. */
        record UnusableSet(String why) implements SetLookup {}

        /** None that the person may see. */
        record UnknownSet() implements SetLookup {}
    }

    /**
     * Sets in {@code folder}.
     *
     * @param judgments names the sets of teams
     * @param executor does the work; one piece at a time
     */
    public Evaluations(Path folder, JudgmentSets judgments, BlockingExecutor executor) {
        this.folder = folder;
        this.judgments = judgments;
        this.executor = executor;
    }

    /** The sets of {@code evaluator}, first the one of the own team, which may have no query yet. */
    public Future<List<SetSummary>> sets(Evaluator evaluator) {
        return executor.run(evaluator.team(), () -> false, () -> {
            List<SetSummary> found = new ArrayList<>();
            for (String name : names(evaluator)) {
                found.add(new SetSummary(name, readableQueries(folder.resolve(name))));
            }
            return List.copyOf(found);
        });
    }

    /** The set {@code name}, without its texts; an empty name is the own team's. */
    public Future<SetLookup> find(Evaluator evaluator, String name) {
        return executor.run(evaluator.team(), () -> false, () -> {
            String wanted = name.isEmpty() ? judgments.set(evaluator.team()) : name;
            return names(evaluator).contains(wanted) ? read(folder.resolve(wanted)) : new SetLookup.UnknownSet();
        });
    }

    /** The figures of {@code run}; the intervals take some time. */
    public Future<ObjectNode> figures(Evaluator evaluator, JudgedRun run) {
        return executor.run(evaluator.team(), () -> false, run::figures);
    }

    private List<String> names(Evaluator evaluator) throws IOException {
        String own = judgments.set(evaluator.team());
        List<String> names = new ArrayList<>(List.of(own));
        if (evaluator.operator() && Files.isDirectory(folder)) {
            try (Stream<Path> folders = Files.list(folder)) {
                folders.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && JudgedSet.isThere(path))
                        .map(path -> path.getFileName().toString())
                        .filter(name -> !name.startsWith(OF_A_TEAM) && !name.equals(own))
                        .sorted()
                        .limit(MOST_LISTED)
                        .forEach(names::add);
            }
        }
        return names;
    }

    private static int queries(Path set) throws IOException {
        return JudgedSet.isThere(set) ? JudgedSet.answeredQueries(set) : 0;
    }

    /** One set that can't be read does not hide the others. */
    private static int readableQueries(Path set) {
        try {
            return queries(set);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    private static SetLookup read(Path set) {
        try {
            if (JudgedSet.isThere(set) && bytes(set) > MOST_BYTES) {
                return TOO_LARGE;
            }
            int queries = queries(set);
            if (queries == 0 || queries > MOST_QUERIES) {
                return queries == 0 ? EMPTY : TOO_LARGE;
            }
            JudgedSet read = JudgedSet.readWithoutTexts(set, MOST_DOCUMENTS + 1);
            if (read.texts().size() > MOST_DOCUMENTS) {
                return TOO_LARGE;
            }
            return read.queries().isEmpty() ? EMPTY : new SetLookup.FoundSet(read);
        } catch (IOException | UncheckedIOException e) {
            return new SetLookup.UnusableSet("The files of the set can't be read as a judged set.");
        }
    }

    private static long bytes(Path set) throws IOException {
        try (Stream<Path> files = Files.walk(set)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
