package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import switchboard.catalog.AnswerArguments;

/**
 * Cuts one answer to an allowed size. The best results get room first, and the last ones are left out: a result that is
 * too large for its part of the room shows the passages around what matched, and below a least length it is not shown
 * at all. {@code truncated} says what is missing and which arguments fetch it. The result depends on the input only.
 */
final class AnswerTruncator {
    /** The allowed size of an answer. */
    interface Allowance {
        /** Whether {@code answer} fits. */
        boolean covers(ObjectNode answer);

        /** The part of the allowed size that {@code value} takes within an answer: more than 1 if it does not fit. */
        double share(JsonNode value);

        /**
         * The largest part of the room that one of several results takes whole, between 0 and 1. With 1 only the last
         * result that is shown can be shortened.
         */
        double whole();

        /**
         * The budget in tokens with which each of {@code results} is whole beside {@code head}; empty if even the largest
         * allowed budget is too small, or the size in bytes is what limits it.
         */
        OptionalInt needed(ObjectNode head, List<JsonNode> results);

        /** Whether a budget of {@code tokens} is more than the present one. */
        boolean exceeds(int tokens);
    }

    /** Names that tools use for the number of listed results. */
    private static final Set<String> COUNTS = Set.of("count", "row_count");

    /** The part of the room for a result that must be shortened, if others follow. Half measured best. */
    private static final double WINDOW = 0.5;

    /** Texts shorter than this say too little; then a lower result is left out. */
    private static final int LEAST_CHARS = 200;

    /** Length of texts where not even the first result fits otherwise. */
    private static final int SHORTEST_CHARS = 100;

    /** Parts measured one by one may take a little less than together; then these parts of the room are tried. */
    private static final double[] LESS_ROOM = {0.97, 0.9};

    private final ObjectNode around;
    private final String key;
    private final List<JsonNode> results = new ArrayList<>();
    private final int skipped;
    private final DetailTruncator detailTruncator;
    private final Allowance allowance;

    /**
     * A cut.
     *
     * @param answer with all results; not changed
     * @param key the name of its array of results
     * @param skip how many results the caller already has
     */
    AnswerTruncator(ObjectNode answer, String key, int skip, DetailTruncator detailTruncator, Allowance allowance) {
        this.around = answer.deepCopy().without(List.of(key, "truncated"));
        this.key = key;
        this.detailTruncator = detailTruncator;
        this.allowance = allowance;
        answer.path(key).forEach(results::add);
        this.skipped = Math.min(skip, results.size());
        results.subList(0, skipped).clear();
    }

    /** The answer that fits. */
    ObjectNode made() {
        return whole().orElseGet(this::less);
    }

    /** The answer with all results, if it fits. */
    Optional<ObjectNode> whole() {
        return Optional.of(part(around, results)).filter(allowance::covers);
    }

    private ObjectNode less() {
        for (ObjectNode head : List.of(around, detailTruncator.around(around), AnswerMarks.of(around))) {
            double room = 1 - allowance.share(largest(head));
            List<JsonNode> shown = shown(room);
            for (double less : LESS_ROOM) {
                if (!shown.isEmpty() && !allowance.covers(part(head, shown))) {
                    shown = shown(room * less);
                }
            }
            while (!shown.isEmpty() && !allowance.covers(part(head, shown))) {
                shown.removeLast();
            }
            if (!shown.isEmpty()) {
                return part(head, shown);
            }
        }
        return part(AnswerMarks.of(around), List.of());
    }

    /** {@code head} with the most that can be said of what is missing. */
    private ObjectNode largest(ObjectNode head) {
        ObjectNode largest = head.deepCopy();
        largest.putArray(key);
        ObjectNode truncated =
                largest.putObject("truncated").put("omitted", results.size()).put("shortened", results.size());
        Set<String> dropped = new TreeSet<>();
        results.forEach(result -> addDropped(result, detailTruncator.of(result, Integer.MAX_VALUE), "", dropped));
        dropped.forEach(truncated.putArray("dropped")::add);
        truncated.set("next", AnswerArguments.next(skipped + results.size(), AnswerArguments.MOST_TOKENS));
        return largest;
    }

    /** As many results as have room, each whole or shortened. */
    private List<JsonNode> shown(double room) {
        List<JsonNode> shown = new ArrayList<>();
        double left = room;
        for (JsonNode result : results) {
            boolean last = shown.size() == results.size() - 1;
            Optional<JsonNode> fitting = last
                    ? fitting(result, left, 1, 1)
                    : fitting(result, left, allowance.whole(), allowance.whole() < 1 ? WINDOW : 1);
            if (fitting.isEmpty() && shown.isEmpty()) {
                fitting = Optional.of(detailTruncator.of(result, SHORTEST_CHARS))
                        .filter(brief -> allowance.share(brief) <= room);
            }
            if (fitting.isEmpty()) {
                break;
            }
            shown.add(fitting.get());
            left -= allowance.share(fitting.get());
        }
        return enlarged(shown, left);
    }

    /** The shortened results again with what is left of the room, the best first. */
    private List<JsonNode> enlarged(List<JsonNode> shown, double room) {
        double left = room;
        for (int i = 0; i < shown.size(); i++) {
            JsonNode brief = shown.get(i);
            if (!brief.equals(results.get(i))) {
                double now = allowance.share(brief);
                JsonNode larger = fitting(results.get(i), left + now, 1, 1).orElse(brief);
                double then = allowance.share(larger);
                if (then > now) {
                    shown.set(i, larger);
                    left -= then - now;
                }
            }
        }
        return shown;
    }

    /**
     * {@code result} in {@code room}: whole if it takes no more than the part {@code whole} of it, otherwise shortened to
     * the part {@code window}, or to its least length; empty if there is no room for that.
     */
    private Optional<JsonNode> fitting(JsonNode result, double room, double whole, double window) {
        if (allowance.share(result) <= room * whole) {
            return Optional.of(result);
        }
        int longest = DetailTruncator.longest(result);
        JsonNode best = detailTruncator.of(result, Math.min(longest, LEAST_CHARS));
        if (allowance.share(best) > room) {
            return Optional.empty();
        }
        int fits = Math.min(longest, LEAST_CHARS);
        int tooLong = longest + 1;
        while (tooLong - fits > 1) {
            int middle = (fits + tooLong) >>> 1;
            JsonNode brief = detailTruncator.of(result, middle);
            if (allowance.share(brief) <= room * window) {
                fits = middle;
                best = brief;
            } else {
                tooLong = middle;
            }
        }
        return Optional.of(best);
    }

    /** {@code head} with {@code shown}, the first results, some of them shortened. */
    private ObjectNode part(ObjectNode head, List<JsonNode> shown) {
        ObjectNode part = shown.isEmpty() ? AnswerMarks.unquoted(head) : head.deepCopy();
        COUNTS.stream().filter(part::has).forEach(count -> part.put(count, shown.size()));
        ArrayNode array = part.putArray(key);
        int full = -1;
        int shortened = 0;
        Set<String> dropped = new TreeSet<>();
        for (int i = 0; i < shown.size(); i++) {
            array.add(shown.get(i));
            if (!shown.get(i).equals(results.get(i))) {
                full = full < 0 ? i : full;
                shortened++;
                addDropped(results.get(i), shown.get(i), "", dropped);
            }
        }
        int omitted = results.size() - shown.size();
        if (omitted + shortened > 0) {
            ObjectNode truncated = part.putObject("truncated").put("omitted", omitted);
            if (shortened > 0) {
                truncated.put("shortened", shortened);
            }
            if (!dropped.isEmpty()) {
                dropped.forEach(truncated.putArray("dropped")::add);
            }
            truncated.set("next", full < 0 ? next(shown.size(), shown.size()) : next(full, shown.size()));
        }
        return part;
    }

    /** Adds the members of {@code result} that are missing in {@code brief}. */
    private static void addDropped(JsonNode result, JsonNode brief, String above, Set<String> dropped) {
        result.properties().forEach(member -> {
            JsonNode kept = brief.get(member.getKey());
            if (kept == null) {
                dropped.add(above + member.getKey());
            } else if (kept.isObject()) {
                addDropped(member.getValue(), kept, above + member.getKey() + ".", dropped);
            }
        });
    }

    /**
     * The arguments whose answer begins with the first result that is missing or shortened.
     *
     * @param full how many results are shown whole at the beginning
     * @param shown how many are shown. Those of them that are shortened are whole in the next answer, so that no caller reads
     *     the same part twice
     */
    private ObjectNode next(int full, int shown) {
        if (full > 0 && full == shown) {
            return AnswerArguments.next(skipped + full);
        }
        for (int end = Math.max(shown, full + 1); end > full; end--) {
            OptionalInt needed = allowance.needed(largest(around), results.subList(full, end));
            if (needed.isPresent()) {
                return allowance.exceeds(needed.getAsInt())
                        ? AnswerArguments.next(skipped + full, needed.getAsInt())
                        : AnswerArguments.next(skipped + full);
            }
        }
        // A result that no budget is large enough for can only be skipped.
        return AnswerArguments.next(skipped + Math.max(full, 1));
    }
}
