package switchboard.app.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import switchboard.call.Json;

/**
 * The outcome of ingesting files.
 *
 * @param library where they are now
 * @param outcomes how many files by the tool's {@code status}
 * @param chunks chunks of those that are in the library
 * @param failures why others are not, by their path
 * @param interrupted whether files are left that were not tried
 */
record IngestReport(
        String library,
        SortedMap<String, Integer> outcomes,
        int chunks,
        SortedMap<String, String> failures,
        boolean interrupted) {
    private static final int MOST_NAMES = 10;

    /** The report of a run that found nothing to ingest. */
    static IngestReport ofNothing(String library) {
        return new IngestReport(library, new TreeMap<>(), 0, new TreeMap<>(), false);
    }

    boolean complete() {
        return failures.isEmpty() && !interrupted;
    }

    /**
     * Writes it for people.
     *
     * @param leftOut files that were not tried, by the reason
     * @param shown how a path is written
     */
    void print(PrintWriter out, Map<String, SortedSet<Path>> leftOut, UnaryOperator<String> shown) {
        StringBuilder summary = new StringBuilder();
        outcomes.forEach((outcome, count) ->
                summary.append(count).append(' ').append(outcome).append(", "));
        out.println(summary.toString() + failures.size() + " failed; " + chunks + " chunks in library " + library);
        failuresByReason()
                .forEach((reason, paths) -> out.println(
                        paths.size() == 1
                                ? "  " + paths.getFirst() + ": " + failures.get(paths.getFirst())
                                : "  failed, " + reason + ": " + names(paths, shown)));
        if (interrupted) {
            out.println("  interrupted: not all files were ingested");
        }
        leftOut.forEach((reason, paths) -> out.println("  left out, " + reason + ": "
                + names(paths.stream().map(Path::toString).toList(), shown)));
        out.flush();
    }

    /** The paths of the files that failed for the same reason. A reason that names its file is the same for all. */
    private SortedMap<String, List<String>> failuresByReason() {
        SortedMap<String, List<String>> byReason = new TreeMap<>();
        failures.forEach((path, why) -> byReason.computeIfAbsent(why.replace(path, "the file"), _ -> new ArrayList<>())
                .add(path));
        return byReason;
    }

    private static String names(List<String> paths, UnaryOperator<String> shown) {
        String names = paths.stream().limit(MOST_NAMES).map(shown).collect(Collectors.joining(", "));
        String more = paths.size() > MOST_NAMES ? " and " + (paths.size() - MOST_NAMES) + " more" : "";
        return paths.size() + " (" + names + more + ")";
    }

    /** The same for programs, with all names. */
    ObjectNode json(Map<String, SortedSet<Path>> leftOut) {
        ObjectNode json = Json.object().put("library", library);
        ObjectNode counts = json.putObject("outcomes");
        outcomes.forEach(counts::put);
        json.put("chunks", chunks).put("interrupted", interrupted);
        ArrayNode failed = json.putArray("failed");
        failures.forEach((path, why) -> failed.addObject().put("path", path).put("reason", why));
        ObjectNode reasons = json.putObject("left_out_counts");
        leftOut.forEach((reason, paths) -> reasons.put(reason, paths.size()));
        ArrayNode others = json.putArray("left_out");
        leftOut.forEach((reason, paths) -> paths.forEach(
                path -> others.addObject().put("path", path.toString()).put("reason", reason)));
        return json;
    }
}
