package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Evaluates filters as Weaviate does for word-tokenised text, in the form of REST or of GraphQL. */
final class StubFilter {
    /** The words that the preset "en" leaves out of the index. */
    private static final Set<String> STOP_WORDS = Set.of(
            "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
            "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was",
            "will", "with");

    private StubFilter() {}

    /** Why Weaviate refuses a {@code where} of one condition on a word-tokenised text: its words are in no index. */
    static Optional<String> refusal(JsonNode where) {
        String operator = where.path("operator").asText().replace("@", "");
        Set<String> words = words(where.path("valueText").asText());
        // A text without any word is refused with the same words.
        return Set.of("Equal", "NotEqual").contains(operator)
                        && where.path("valueText").isTextual()
                        && STOP_WORDS.containsAll(words)
                ? Optional.of("invalid search term, only stopwords provided. Stopwords can be configured in"
                        + " class.invertedIndexConfig.stopwords")
                : Optional.empty();
    }

    /** Whether objects {@code {id, properties}} match {@code where}; the texts {@code whole} are not cut into words. */
    static Predicate<JsonNode> of(JsonNode where, Set<String> whole) {
        String operator = where.path("operator").asText().replace("@", "");
        List<Predicate<JsonNode>> operands = new ArrayList<>();
        where.path("operands").forEach(operand -> operands.add(of(operand, whole)));
        return switch (operator) {
            case "And" -> object -> operands.stream().allMatch(operand -> operand.test(object));
            case "Or" -> object -> operands.stream().anyMatch(operand -> operand.test(object));
            case "Not" -> operands.getFirst().negate();
            default ->
                comparison(
                        operator,
                        where,
                        whole.contains(where.path("path").path(0).asText()));
        };
    }

    private static Predicate<JsonNode> comparison(String operator, JsonNode where, boolean whole) {
        String name = where.path("path").path(0).asText();
        String key = where.properties().stream()
                .map(java.util.Map.Entry::getKey)
                .filter(each -> each.startsWith("value"))
                .findFirst()
                .orElseThrow();
        JsonNode value = where.path(key);
        return object -> {
            JsonNode held = name.startsWith("len(")
                    ? length(object.path("properties").path(name.substring("len(".length(), name.length() - 1)))
                    : name.equals("id") || name.equals("_id")
                            ? object.path("id")
                            : object.path("properties").path(name);
            return switch (operator) {
                case "Equal" -> key.equals("valueDate") ? compare(held, value) == 0 : equal(held, value, whole);
                case "NotEqual" -> !equal(held, value, whole);
                case "Like" -> like(held, value.asText());
                case "GreaterThan" -> compare(held, value) > 0;
                case "GreaterThanEqual" -> compare(held, value) >= 0;
                case "LessThan" -> !held.isMissingNode() && compare(held, value) < 0;
                case "LessThanEqual" -> !held.isMissingNode() && compare(held, value) <= 0;
                case "ContainsAny" -> matching(held, value, whole) > 0;
                case "ContainsAll" -> matching(held, value, whole) == value.size();
                case "ContainsNone" -> matching(held, value, whole) == 0;
                default -> throw new IllegalArgumentException("operator " + operator);
            };
        };
    }

    private static JsonNode length(JsonNode held) {
        int length =
                held.isTextual() ? held.asText().codePointCount(0, held.asText().length()) : held.size();
        return IntNode.valueOf(length);
    }

    private static int matching(JsonNode held, JsonNode values, boolean whole) {
        int matching = 0;
        for (JsonNode value : values) {
            if (equal(held, value, whole)) {
                matching++;
            }
        }
        return matching;
    }

    private static boolean equal(JsonNode held, JsonNode value, boolean whole) {
        if (held.isArray()) {
            for (JsonNode element : held) {
                if (equal(element, value, whole)) {
                    return true;
                }
            }
            return false;
        }
        if (held.isTextual() && value.isTextual()) {
            // The index of a whole text leaves out spaces around it.
            return whole
                    ? held.asText().strip().equals(value.asText().strip())
                    : words(held.asText()).containsAll(words(value.asText()));
        }
        return (held.isNumber() && value.isNumber()) ? compare(held, value) == 0 : held.equals(value);
    }

    private static Set<String> words(String text) {
        return Pattern.compile("[^\\p{L}\\p{N}]+")
                .splitAsStream(text.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }

    private static boolean like(JsonNode held, String pattern) {
        Pattern glob = Pattern.compile(("\\Q" + pattern.toLowerCase(Locale.ROOT) + "\\E")
                .replace("*", "\\E.*\\Q")
                .replace("?", "\\E.\\Q"));
        return pattern.equals("*")
                || words(held.asText()).stream()
                        .anyMatch(word -> glob.matcher(word).matches());
    }

    /** What the index holds of a number: of an integer the double that is stored, and the smallest for the largest. */
    private static BigDecimal indexed(JsonNode held) {
        if (!held.isIntegralNumber()) {
            return held.decimalValue();
        }
        double stored = held.doubleValue();
        return BigDecimal.valueOf(stored >= 0x1p63 ? Long.MIN_VALUE : (long) stored);
    }

    private static int compare(JsonNode held, JsonNode value) {
        if (held.isNumber()) {
            return indexed(held).compareTo(new BigDecimal(value.asText()));
        }
        return held.isMissingNode()
                ? -1
                : OffsetDateTime.parse(held.asText()).compareTo(OffsetDateTime.parse(value.asText()));
    }
}
