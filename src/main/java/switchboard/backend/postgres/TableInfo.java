package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.postgres.sql.Identifiers;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.text.ClosestName;

/**
 * A table or view in the catalogue. It contains only what the role may read.
 *
 * @param kind PostgreSQL's {@code relkind}
 * @param onPath whether the search path finds its name
 * @param whole whether the role may read all columns
 * @param key columns of the primary key, empty without one
 * @param rows PostgreSQL's last estimate of the number of rows; null before the first analysis, for views, and if row
 *     security hides rows
 * @param vectorVersion the version of pgvector, or null without it
 */
record TableInfo(
        String schema,
        String name,
        String kind,
        @Nullable String comment,
        boolean onPath,
        boolean whole,
        List<String> key,
        List<Column> columns,
        List<String> constraints,
        List<Index> indexes,
        @Nullable Long rows,
        @Nullable String vectorVersion) {

    /**
     * A column, in its place in the table.
     *
     * @param type with its modifier, as SQL
     * @param baseType without the modifier, as SQL
     * @param vector {@code vector}, {@code halfvec}, {@code sparsevec} or null; domains over them count
     * @param vectorSchema the schema that the vector type is in, or null
     * @param dimensions of the vector; 0 when the column takes any
     */
    record Column(
            String name,
            String type,
            String baseType,
            boolean nullable,
            @Nullable String comment,
            @Nullable String vector,
            @Nullable String vectorSchema,
            int dimensions) {
        /** Whether it holds {@code json} or {@code jsonb}. */
        boolean json() {
            return baseType.equals("json") || baseType.equals("jsonb");
        }

        /** Whether it holds arrays. */
        boolean array() {
            return baseType.endsWith("[]");
        }
    }

    /**
     * An index: its method ({@code btree}, {@code hnsw}, ...), whether it leaves rows out, its columns or expressions, their
     * operator classes.
     */
    record Index(
            String name, String method, boolean unique, boolean partial, List<String> columns, List<String> opclasses) {
        /** Whether it has all rows in the order of {@code column}. */
        boolean sorts(String column) {
            return method.equals("btree") && !partial && columns.getFirst().equals(column);
        }

        /** Whether it finds nearest neighbours of {@code column}. */
        boolean nearest(String column) {
            return (method.equals("hnsw") || method.equals("ivfflat"))
                    && columns.getFirst().equals(column);
        }

        /** The metric of the index; empty if it is not a known one. */
        String metric() {
            String opclass = opclasses.isEmpty() ? "" : opclasses.getFirst();
            for (DistanceMetric metric : DistanceMetric.values()) {
                if (opclass.contains(metric.opclassPart())) {
                    return metric.word();
                }
            }
            return "";
        }
    }

    /** The primary key of a row as a JSON array of texts, or the one text; empty if there is none, or it is not shown. */
    Optional<String> keyOf(JsonNode row) {
        List<String> values = key.stream()
                .filter(row::has)
                .map(name -> row.path(name).asText())
                .toList();
        if (values.isEmpty() || values.size() < key.size()) {
            return Optional.empty();
        }
        return Optional.of(
                values.size() == 1
                        ? values.getFirst()
                        : Json.mapper().valueToTree(values).toString());
    }

    TableInfo {
        key = List.copyOf(key);
        columns = List.copyOf(columns);
        constraints = List.copyOf(constraints);
        indexes = List.copyOf(indexes);
    }

    /** {@code schema.name}. */
    String fullName() {
        return schema + "." + name;
    }

    /** The name as SQL. */
    String sql() {
        return Identifiers.quote(schema, name);
    }

    /** A column in SQL, for a table without an alias. */
    String sql(Column column) {
        return Identifiers.quote(name, column.name());
    }

    /** The column of that name: exactly, as SQL writes it (in double quotes, or in any case without), after the table's name or alone. */
    Optional<Column> column(String wanted) {
        return called(wanted)
                .or(() -> Identifiers.folded(wanted).flatMap(this::own).flatMap(this::called));
    }

    private Optional<Column> called(String exactly) {
        return columns.stream().filter(column -> column.name().equals(exactly)).findFirst();
    }

    /** The last of {@code parts}, unless the others name another table. */
    private Optional<String> own(List<String> parts) {
        List<String> full = List.of(schema, name, parts.getLast());
        return parts.size() <= full.size() && parts.equals(full.subList(full.size() - parts.size(), full.size()))
                ? Optional.of(parts.getLast())
                : Optional.empty();
    }

    /** The failure for an unknown column, with the existing ones. */
    ToolException unknownColumn(String wanted, FailureKind kind) {
        List<String> names = columns.stream().map(Column::name).toList();
        return new ToolException(
                kind,
                "Column '" + wanted + "' not found in table '" + fullName() + "'."
                        + ClosestName.of(wanted, names)
                                .map(near -> " Did you mean '" + near + "'?")
                                .orElse("")
                        + " Available columns: " + String.join(", ", names));
    }

    /** The columns that hold no vectors. */
    List<Column> plainColumns() {
        return columns.stream().filter(column -> column.vector() == null).toList();
    }

    /** Its vector columns. */
    List<Column> vectors() {
        return columns.stream().filter(column -> column.vector() != null).toList();
    }

    /** The name of its kind for people. */
    String kindName() {
        return switch (kind) {
            case "v" -> "VIEW";
            case "m" -> "MATERIALIZED VIEW";
            case "p" -> "PARTITIONED TABLE";
            case "f" -> "FOREIGN TABLE";
            default -> "TABLE";
        };
    }
}
