package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.signal.PassageSignal;
import switchboard.signal.PassageSignals;
import switchboard.signal.Quotation;

/** Marks the results of searches: what is in the passage that matched, whole, and in everything else that is shown. */
final class ResultSignals {
    private ResultSignals() {}

    /**
     * Adds {@code signals} to a result that has any, before {@code field} if that is there.
     *
     * @param field where {@code passage} is shown, whole or in part
     * @param passage the whole passage; null if none is known
     */
    static void mark(ObjectNode result, String field, @Nullable String passage) {
        PassageSignals signals = new PassageSignals().add(field, passage);
        result.properties().stream()
                .filter(member -> passage == null || !member.getKey().equals(field))
                .forEach(member -> signals.addAll(member.getKey(), member.getValue()));
        List<PassageSignal> shown = signals.shown();
        if (shown != null) {
            ArrayNode array = Json.array();
            shown.forEach(signal -> array.add(Json.tree(signal)));
            insert(result, array, field);
        }
    }

    private static void insert(ObjectNode result, ArrayNode signals, String before) {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        result.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        result.removeAll();
        members.forEach((name, value) -> {
            if (name.equals(before)) {
                result.set(PassageSignals.MEMBER, signals);
            }
            result.set(name, value);
        });
        if (!members.containsKey(before)) {
            result.set(PassageSignals.MEMBER, signals);
        }
    }

    /** {@code answer} with the notice that its texts are quoted as its first member, if there are {@code results}. */
    static ObjectNode fenced(ObjectNode answer, int results) {
        if (results == 0) {
            return answer;
        }
        ObjectNode fenced = Json.object().put(Quotation.MEMBER, Quotation.NOTICE);
        fenced.setAll(answer);
        return fenced;
    }
}
