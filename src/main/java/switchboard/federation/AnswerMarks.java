package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import switchboard.call.Json;
import switchboard.signal.Quotation;
import switchboard.signal.SignalKind;

/**
 * The marks of a whole answer, which stay however far it is cut: the notice that its texts are quoted, how many hits were
 * hidden, and whether two rankings are mixed. All are short. Members of these names with anything else in them are no marks.
 */
final class AnswerMarks {
    /** The member of an answer that mixes two rankings. */
    private static final String INTERLEAVED = "interleaved";

    private AnswerMarks() {}

    /** A new object with the marks of {@code answer}. */
    static ObjectNode of(ObjectNode answer) {
        ObjectNode marks = Json.object();
        if (quotes(answer)) {
            marks.put(Quotation.MEMBER, Quotation.NOTICE);
        }
        if (answer.path(INTERLEAVED).asBoolean()) {
            marks.put(INTERLEAVED, true);
        }
        JsonNode hidden = answer.path(SignalledHits.HIDDEN);
        ObjectNode counts = Json.object();
        Arrays.stream(SignalKind.values())
                .map(SignalKind::word)
                .filter(kind -> hidden.path(kind).isInt())
                .forEach(kind -> counts.set(kind, hidden.path(kind)));
        if (!counts.isEmpty()) {
            marks.set(SignalledHits.HIDDEN, counts);
        }
        return marks;
    }

    /** A copy of {@code answer} without the notice, for an answer that has no texts. */
    static ObjectNode unquoted(ObjectNode answer) {
        ObjectNode unquoted = answer.deepCopy();
        if (quotes(answer)) {
            unquoted.remove(Quotation.MEMBER);
        }
        return unquoted;
    }

    private static boolean quotes(ObjectNode answer) {
        return answer.path(Quotation.MEMBER).asText().equals(Quotation.NOTICE);
    }
}
