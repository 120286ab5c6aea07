package switchboard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/** Compares the two forms of an answer, blocks and {@code structuredContent}: each must say what the other says. */
public final class TwoForms {
    /** What texts for people say around the facts. */
    private static final Set<String> LABELS =
            Set.of(("found results result for chunks chunk database schema information"
                            + " description columns constraints indexes unique semantic search table vector column dimensions"
                            + " distance metric top k filter sql query rows row using connection truncated the answer reached its"
                            + " limit of bytes ask a smaller top_k embedding generated successfully provider model text length"
                            + " characters available resources uri name mime type more tables call again with offset or narrow it"
                            + " schema_name table_name nullable euclidean negative any there are than this tool returns arguments")
                    .split(" "));

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_]+");

    private TwoForms() {}

    /** What one form of a successful {@code tools/call} result says and the other does not; empty is right. */
    public static List<String> differences(JsonNode result) {
        JsonNode structured = result.path("structuredContent");
        List<String> missing = new ArrayList<>();
        if (structured.isMissingNode()) {
            missing.add("no structuredContent");
            return missing;
        }
        Facts given = new Facts();
        given.tree("", structured);
        Facts told = new Facts();
        StringBuilder prose = new StringBuilder();
        for (JsonNode block : result.path("content")) {
            switch (block.path("type").asText()) {
                case "text" ->
                    json(block.path("text").asText()).ifPresentOrElse(tree -> told.tree("", tree), () -> prose.append(
                                    block.path("text").asText())
                            .append('\n'));
                case "resource" -> told.tree("", block.path("resource"));
                case "resource_link" -> told.tree("", block.path("uri"));
                default -> {} // pictures and sounds are in the blocks only
            }
        }
        given.missingIn(told, prose.toString()).forEach(fact -> missing.add("only in structuredContent: " + fact));
        told.missingIn(given, "").forEach(fact -> missing.add("only in the blocks: " + fact));
        String all = Json.text(structured).toLowerCase(Locale.ROOT)
                + String.join(" ", given.texts).toLowerCase(Locale.ROOT);
        Matcher words = WORD.matcher(prose.toString().toLowerCase(Locale.ROOT));
        while (words.find()) {
            // Columns of the same name are numbered.
            String word = words.group().replaceFirst("_\\d+$", "");
            if (!LABELS.contains(word) && !all.contains(word)) {
                missing.add("only in the text: " + words.group());
            }
        }
        return missing;
    }

    /** Fails with {@code about} unless both forms of a successful result say the same. */
    public static void check(String about, JsonNode result) {
        List<String> differences = result.path("isError").asBoolean() ? List.of() : differences(result);
        if (!differences.isEmpty()) {
            throw new AssertionError(about + ": " + differences + " in " + Json.text(result));
        }
    }

    private static Optional<JsonNode> json(String text) {
        try {
            return Optional.of(Json.parse(text)).filter(JsonNode::isContainerNode);
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }

    /** The values of a form, with the names they have. */
    private static final class Facts {
        private final Set<String> texts = new HashSet<>();
        private final Set<String> numbers = new HashSet<>();
        private final Set<Map.Entry<String, Boolean>> truths = new HashSet<>();

        void tree(String name, JsonNode node) {
            if (node.isContainerNode()) {
                node.properties().forEach(member -> tree(member.getKey(), member.getValue()));
                if (node.isArray()) {
                    node.forEach(element -> tree(name, element));
                }
            } else if (node.isNumber()) {
                numbers.add(number(node));
            } else if (node.isBoolean()) {
                truths.add(Map.entry(name, node.asBoolean()));
            } else if (node.isTextual() && !node.asText().isBlank()) {
                // Half of a pair of surrogates reaches nobody.
                texts.add(new String(node.asText().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
            }
        }

        private static String number(JsonNode node) {
            return node.decimalValue().signum() == 0
                    ? "0"
                    : node.decimalValue().stripTrailingZeros().toPlainString();
        }

        List<String> missingIn(Facts other, String prose) {
            List<String> missing = new ArrayList<>();
            for (String text : texts) {
                String escaped = Json.text(Json.mapper().getNodeFactory().textNode(text));
                if (!other.texts.contains(text)
                        && !prose.contains(text)
                        && !prose.contains(escaped.substring(1, escaped.length() - 1))
                        && other.texts.stream().noneMatch(longer -> longer.contains(text))
                        // schema and name apart, where a text says both at once
                        && !prose.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT))) {
                    missing.add(text);
                }
            }
            Set<String> spoken = new HashSet<>();
            Matcher found = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?").matcher(prose);
            while (found.find()) {
                spoken.add(number(Json.object().numberNode(new java.math.BigDecimal(found.group()))));
            }
            for (String number : numbers) {
                if (!other.numbers.contains(number) && !spoken.contains(number)) {
                    missing.add(number);
                }
            }
            for (Map.Entry<String, Boolean> truth : truths) {
                if (!other.truths.contains(truth)
                        && !prose.contains(truth.getKey())
                        && !prose.contains(": " + truth.getValue())) {
                    missing.add(truth.getKey() + "=" + truth.getValue());
                }
            }
            return missing;
        }
    }
}
