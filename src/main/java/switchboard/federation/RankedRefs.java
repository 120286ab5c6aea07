package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import switchboard.call.PassageRef;

/** The refs of ranked results, and of results in these. They are the first that an answer does without if it is too large, so they replace no result. */
final class RankedRefs {
    private static final Set<String> LEAST = Set.of(PassageRef.CITE);

    private final ObjectNode answer;
    private final String key;

    /** Those of the array {@code key} of {@code answer}, which is not changed. */
    RankedRefs(ObjectNode answer, String key) {
        this.answer = answer;
        this.key = key;
    }

    /** Whether no result has one. */
    boolean none() {
        return results(answer).noneMatch(PassageRef::in);
    }

    /** The answer whose refs say as little as one can be checked with. */
    ObjectNode brief() {
        return retaining(LEAST);
    }

    /** The answer without them. */
    ObjectNode without() {
        return none() ? answer : retaining(Set.of()).without(PassageRef.TIME);
    }

    private ObjectNode retaining(Set<String> members) {
        ObjectNode copy = answer.deepCopy();
        results(copy).filter(PassageRef::in).forEach(result -> PassageRef.retain((ObjectNode) result, members));
        return copy;
    }

    /** The ranked ones, and those of the searches that an answer with several has. */
    private Stream<JsonNode> results(ObjectNode of) {
        return of.path(key)
                .valueStream()
                .flatMap(result ->
                        Stream.concat(Stream.of(result), result.path("results").valueStream()));
    }

    /** {@code cut}, which has results from number {@code skipped} on, with as many of their refs as {@code fits}, the best first. */
    ObjectNode addTo(ObjectNode cut, int skipped, Predicate<ObjectNode> fits) {
        if (answer.path(key).valueStream().noneMatch(PassageRef::in)) {
            return cut;
        }
        List<JsonNode> refs = new ArrayList<>();
        for (int i = skipped; i < skipped + cut.path(key).size(); i++) {
            refs.add(answer.path(key).path(i).path(PassageRef.FIELD).path(PassageRef.CITE));
        }
        int fit = 0;
        int tooMany = refs.size() + 1;
        while (tooMany - fit > 1) {
            int middle = (fit + tooMany) >>> 1;
            if (fits.test(with(cut, refs.subList(0, middle)))) {
                fit = middle;
            } else {
                tooMany = middle;
            }
        }
        return fit == 0 ? cut : with(cut, refs.subList(0, fit));
    }

    private ObjectNode with(ObjectNode cut, List<JsonNode> cites) {
        ObjectNode more = cut.deepCopy();
        for (int i = 0; i < cites.size(); i++) {
            if (cites.get(i).isTextual() && more.path(key).path(i) instanceof ObjectNode result) {
                result.putObject(PassageRef.FIELD).set(PassageRef.CITE, cites.get(i));
            }
        }
        if (answer.has(PassageRef.TIME)) {
            more.set(PassageRef.TIME, answer.get(PassageRef.TIME));
        }
        return more;
    }
}
