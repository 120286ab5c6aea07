package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * Some rows of a query's answer.
 *
 * @param columns in the query's order, names possibly repeated
 * @param rows their cells
 * @param truncated whether there are more
 * @param oversizedBytes the size of the next row, if it alone exceeds the limit and there is no other row; else null
 */
record RowPage(
        List<Column> columns,
        List<List<JsonNode>> rows,
        boolean truncated,
        @Nullable Long oversizedBytes) {
    /** A column of an answer. */
    record Column(String name, String type) {}

    /** The rows as objects; columns of the same name are numbered. */
    ArrayNode objects() {
        List<String> names =
                ResultJson.distinct(columns.stream().map(Column::name).toList());
        ArrayNode array = Json.array();
        for (List<JsonNode> row : rows) {
            ObjectNode object = array.addObject();
            for (int i = 0; i < names.size(); i++) {
                object.set(names.get(i), row.get(i));
            }
        }
        return array;
    }

    /** {@code columns: [{name, type}]} and {@code rows} as arrays. */
    void describe(ObjectNode target) {
        ArrayNode described = target.putArray("columns");
        columns.forEach(
                column -> described.addObject().put("name", column.name()).put("type", column.type()));
        ArrayNode array = target.putArray("rows");
        rows.forEach(row -> array.addArray().addAll(row));
        target.put("row_count", rows.size());
        target.put("truncated", truncated);
    }
}
