package switchboard.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import switchboard.call.Json;

/** Budgets as JSON, so that a restarted process counts on. */
final class SavedBudgets {
    private SavedBudgets() {}

    /** Nothing if there are no budgets. */
    static byte[] write(List<SavedBudget> budgets) {
        ObjectNode file = Json.object();
        budgets.stream()
                .sorted(Comparator.comparing(SavedBudget::team).thenComparing(SavedBudget::key))
                .map(Json::tree)
                .forEach(file.withArray("budgets")::add);
        return budgets.isEmpty() ? new byte[0] : Json.bytes(file);
    }

    /**
     * The budgets of {@link #write}.
     *
     * @throws IllegalArgumentException if these are no budgets
     */
    static List<SavedBudget> read(byte[] json) {
        try {
            List<SavedBudget> budgets = new ArrayList<>();
            for (JsonNode budget : Json.parse(json).withArray("budgets")) {
                budgets.add(new SavedBudget(
                        budget.path("team").asText(),
                        budget.path("key").asText(),
                        number(budget, "day"),
                        number(budget, "calls"),
                        number(budget, "tokens"),
                        number(budget, "available"),
                        number(budget, "atMillis")));
            }
            return budgets;
        } catch (JsonProcessingException | UnsupportedOperationException e) {
            throw new IllegalArgumentException("these are no budgets", e);
        }
    }

    private static long number(JsonNode budget, String field) {
        JsonNode number = budget.path(field);
        if (!number.canConvertToLong()) {
            throw new IllegalArgumentException("a budget without \"" + field + "\"");
        }
        return number.asLong();
    }
}
