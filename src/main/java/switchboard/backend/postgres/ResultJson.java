package switchboard.backend.postgres;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import switchboard.call.Json;

/**
 * Converts values of PostgreSQL to JSON. The server writes each row as a JSON object ({@code row_to_json}), which
 * keeps the full value of every type. Here the object becomes a list of cells, so that columns with the same name stay
 * separate.
 *
 * <p>A number that a double can't represent becomes a string, because most clients read numbers as doubles; also in
 * arrays, composites and {@code json}.
 */
final class ResultJson {
    private static final Set<String> DENSE_VECTORS = Set.of("vector", "halfvec");

    /** Reads what PostgreSQL writes: duplicate keys and deep nesting are fine in a {@code json} column. */
    private static final JsonMapper READER = JsonMapper.builder(new com.fasterxml.jackson.core.JsonFactoryBuilder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(10_000)
                            .maxNumberLength(200_000)
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private ResultJson() {}

    /** The rows have other columns than expected. */
    static final class ColumnsChanged extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ColumnsChanged() {
            super("the query's columns have changed", null, false, false);
        }
    }

    /**
     * The cells of one row.
     *
     * @param row a JSON object with a member for each of {@code columns}, names possibly repeated
     * @throws ColumnsChanged if it has others
     */
    static List<JsonNode> cells(String row, List<RowPage.Column> columns) {
        List<JsonNode> cells = new ArrayList<>(columns.size());
        try (JsonParser parser = READER.getFactory().createParser(row)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                if (cells.size() == columns.size()
                        || !columns.get(cells.size()).name().equals(parser.currentName())) {
                    throw new ColumnsChanged();
                }
                parser.nextToken();
                JsonNode value = READER.readTree(parser);
                cells.add(cell(
                        value == null ? NullNode.instance : value,
                        columns.get(cells.size()).type()));
            }
            if (cells.size() < columns.size()) {
                throw new ColumnsChanged();
            }
            return cells;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode cell(JsonNode value, String type) {
        if (DENSE_VECTORS.contains(type) && value.isTextual()) {
            return vector(value.asText());
        }
        return exact(value);
    }

    /** A value that the client has read already: a document as such, anything else as its text. */
    static JsonNode reported(Object value) {
        return value instanceof JsonArray || value instanceof JsonObject
                ? exact(vector(value.toString()))
                : TextNode.valueOf(value.toString());
    }

    private static JsonNode vector(String text) {
        try {
            return READER.readTree(text);
        } catch (IOException _) {
            return TextNode.valueOf(text);
        }
    }

    private static JsonNode exact(JsonNode value) {
        if (value instanceof NumericNode number) {
            return fitsDouble(number.decimalValue())
                    ? plain(number)
                    : TextNode.valueOf(number.decimalValue().toPlainString());
        }
        if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, exact(array.get(i)));
            }
        }
        if (value instanceof ObjectNode object) {
            object.properties().forEach(member -> member.setValue(exact(member.getValue())));
        }
        return value;
    }

    /** The number without an exponent if it is short enough. */
    private static JsonNode plain(NumericNode number) {
        BigDecimal value = number.decimalValue();
        return number.isIntegralNumber() || Math.abs(value.scale()) > 20
                ? number
                : DecimalNode.valueOf(new BigDecimal(value.toPlainString()));
    }

    private static boolean fitsDouble(BigDecimal value) {
        double nearest = value.doubleValue();
        return !Double.isInfinite(nearest)
                && (value.precision() <= 15 || new BigDecimal(Double.toString(nearest)).compareTo(value) == 0);
    }

    /** {@code names} with a number added to repeated ones: {@code a, a_2, b}. */
    static List<String> distinct(List<String> names) {
        List<String> distinct = new ArrayList<>(names.size());
        for (String name : names) {
            String candidate = name;
            for (int n = 2; distinct.contains(candidate) || (n > 2 && names.contains(candidate)); n++) {
                candidate = name + "_" + n;
            }
            distinct.add(candidate);
        }
        return distinct;
    }

    /** {@code node} with line breaks, two blanks to a level, array elements on lines of their own. */
    static String pretty(JsonNode node) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter()
                .withSeparators(com.fasterxml.jackson.core.util.Separators.createDefaultInstance()
                        .withObjectFieldValueSpacing(com.fasterxml.jackson.core.util.Separators.Spacing.AFTER));
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        printer.indentArraysWith(lines);
        printer.indentObjectsWith(lines);
        try {
            return Json.mapper().writer(printer).writeValueAsString(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
