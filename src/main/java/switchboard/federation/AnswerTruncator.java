package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import switchboard.call.Json;
import switchboard.catalog.AnswerArguments;

/**
 * Cuts one answer to an allowed size. First, lower results lose detail; then results are removed from the end; last,
 * fields around the results are removed. {@code truncated} says what is missing and which arguments fetch it. The
 * result depends on the input only.
 */
final class AnswerTruncator {
    /** The allowed size of an answer. */
    interface Allowance {
        /** Whether {@code answer} fits. */
        boolean covers(ObjectNode answer);

        /** The token budget that {@code answer} needs; empty if even the largest allowed budget is too small. */
        OptionalInt needed(ObjectNode answer);
    }

    /** Names that tools use for the number of listed results. */
    private static final Set<String> COUNTS = Set.of("count", "row_count");

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
        int all = results.size();
        ObjectNode whole = part(around, all, all, DetailTruncator.Level.SNIPPETS);
        if (allowance.covers(whole)) {
            return whole;
        }
        for (DetailTruncator.Level level : DetailTruncator.Level.values()) {
            if (allowance.covers(part(around, 0, all, level))) {
                int full = most(count -> allowance.covers(part(around, count, all, level)));
                return part(around, full, all, level);
            }
        }
        for (ObjectNode head : List.of(around, detailTruncator.around(around), Json.object())) {
            int kept = most(count -> allowance.covers(part(head, 0, count, DetailTruncator.Level.LINES)));
            if (kept > 0) {
                return part(head, 0, kept, DetailTruncator.Level.LINES);
            }
        }
        return part(Json.object(), 0, 0, DetailTruncator.Level.LINES);
    }

    /** The greatest count for which {@code fits} is true, by binary search; 0 if there is none. */
    private int most(IntPredicate fits) {
        int fitting = 0;
        int tooMany = results.size() + 1;
        while (tooMany - fitting > 1) {
            int middle = (fitting + tooMany) >>> 1;
            if (fits.test(middle)) {
                fitting = middle;
            } else {
                tooMany = middle;
            }
        }
        return fitting;
    }

    /** {@code head} with {@code kept} results, the first {@code full} of them with all detail. */
    private ObjectNode part(ObjectNode head, int full, int kept, DetailTruncator.Level level) {
        ObjectNode part = head.deepCopy();
        COUNTS.stream().filter(part::has).forEach(count -> part.put(count, kept));
        ArrayNode shown = part.putArray(key);
        int shortened = 0;
        Set<String> dropped = new TreeSet<>();
        for (int i = 0; i < kept; i++) {
            JsonNode result = results.get(i);
            JsonNode brief = i < full ? result : detailTruncator.of(result, level);
            shortened += brief.equals(result) ? 0 : 1;
            dropped.addAll(dropped(result, brief));
            shown.add(brief);
        }
        int omitted = results.size() - kept;
        if (omitted + shortened > 0) {
            ObjectNode truncated = part.putObject("truncated").put("omitted", omitted);
            if (shortened > 0) {
                truncated.put("shortened", shortened);
            }
            if (!dropped.isEmpty()) {
                dropped.forEach(truncated.putArray("dropped")::add);
            }
            truncated.set("next", next(full, kept, omitted));
        }
        return part;
    }

    /** The members of {@code result} that are missing in {@code brief}. */
    private static Set<String> dropped(JsonNode result, JsonNode brief) {
        Set<String> names = new TreeSet<>();
        result.fieldNames().forEachRemaining(names::add);
        brief.fieldNames().forEachRemaining(names::remove);
        return names;
    }

    /** The arguments that fetch the missing results, or the shortened ones in full. */
    private ObjectNode next(int full, int kept, int omitted) {
        if (omitted > 0 && kept > 0) {
            return AnswerArguments.next(skipped + kept);
        }
        if (omitted == 0 && full > 0) {
            return AnswerArguments.next(skipped + full);
        }
        JsonNode result = results.getFirst();
        JsonNode shown = omitted == 0 ? result : detailTruncator.of(result, DetailTruncator.Level.LINES);
        ObjectNode first = Json.object();
        first.putArray(key).add(shown);
        dropped(result, shown).forEach(first.putArray("dropped")::add);
        OptionalInt needed = allowance.needed(first);
        // A result that no budget is large enough for can only be skipped.
        return needed.isPresent()
                ? AnswerArguments.next(skipped, needed.getAsInt())
                : AnswerArguments.next(skipped + 1);
    }
}
