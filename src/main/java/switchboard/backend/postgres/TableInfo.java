package switchboard.backend.postgres;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.postgres.sql.Identifiers;

/**
 * A table, view or the like as the live catalogue has it. Only what the role may read is in it.
 *
 * @param kind PostgreSQL's {@code relkind}
 * @param onPath whether the name alone finds it
 * @param whole whether the role may read all of it, not only some columns
 * @param key the columns of its primary key, empty without one
 * @param rows how many rows PostgreSQL estimated when it last analysed the table; null before that, for views, and where
 *     row security hides some
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
            int dimensions) {}

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

        /** The metric it is built for, in words; empty if it is none of the known ones. */
        String metric() {
            String opclass = opclasses.isEmpty() ? "" : opclasses.getFirst();
            for (Metric metric : Metric.values()) {
                if (opclass.contains(metric.opclassPart())) {
                    return metric.word();
                }
            }
            return "";
        }
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

    /** The column of that name, exactly, or else in lower case. */
    Optional<Column> column(String wanted) {
        return columns.stream()
                .filter(column -> column.name().equals(wanted))
                .findFirst()
                .or(() -> columns.stream()
                        .filter(column -> column.name().equals(wanted.toLowerCase(java.util.Locale.ROOT)))
                        .findFirst());
    }

    /** Its vector columns. */
    List<Column> vectors() {
        return columns.stream().filter(column -> column.vector() != null).toList();
    }

    /** What people call its kind. */
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
