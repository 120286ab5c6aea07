package switchboard.backend.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.postgres.sql.Identifiers;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.text.ClosestName;

/**
 * Reads the database's catalogue, without caching. Partitions follow their parent, everything is ordered by name, and
 * only what the role may read is included. It does not wait for locked tables, except those with an expression index,
 * whose definition PostgreSQL reads with a lock.
 */
final class CatalogReader {
    /** Maximum number of tables in one read. */
    static final int MOST = 5_000;

    private static final int NAMES_IN_ERRORS = 50;

    /** $1 schema or null, $2 allowed schemas or empty, $3 names or empty, $4 only tables with vectors. */
    private static final String SQL = """
            SELECT json_build_object('schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
              'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
              'onPath', pg_catalog.pg_table_is_visible(c.oid),
              'whole', pg_catalog.has_table_privilege(c.oid, 'SELECT'),
              'key', coalesce((SELECT json_agg(a.attname ORDER BY k.n)
                FROM pg_catalog.pg_constraint p CROSS JOIN LATERAL unnest(p.conkey) WITH ORDINALITY AS k(attnum, n)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
                WHERE p.conrelid = c.oid AND p.contype = 'p'), '[]'),
              'columns', coalesce((SELECT json_agg(json_build_object('name', a.attname,
                  'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
                  'baseType', pg_catalog.format_type(b.oid, -1),
                  'nullable', NOT a.attnotnull,
                  'comment', pg_catalog.col_description(c.oid, a.attnum),
                  'vector', CASE WHEN b.typname IN ('vector', 'halfvec', 'sparsevec') THEN b.typname END,
                  'vectorSchema', CASE WHEN b.typname IN ('vector', 'halfvec', 'sparsevec') THEN bn.nspname END,
                  'dimensions', CASE WHEN b.typname IN ('vector', 'halfvec', 'sparsevec')
                    THEN greatest(CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END, 0) ELSE 0 END)
                  ORDER BY a.attnum)
                FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
                JOIN pg_catalog.pg_namespace bn ON bn.oid = b.typnamespace
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                  AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')), '[]'),
              'constraints', coalesce((SELECT json_agg(pg_catalog.pg_get_constraintdef(p.oid, true)
                  ORDER BY p.contype DESC, p.conname)
                FROM pg_catalog.pg_constraint p
                WHERE p.conrelid = c.oid AND p.contype IN ('p', 'u', 'f', 'c', 'x')), '[]'),
              'indexes', coalesce((SELECT json_agg(json_build_object('name', ic.relname, 'method', am.amname,
                  'unique', i.indisunique, 'partial', i.indpred IS NOT NULL,
                  'columns', (SELECT json_agg(coalesce((SELECT a.attname FROM pg_catalog.pg_attribute a
                      WHERE a.attrelid = c.oid AND a.attnum = i.indkey[k - 1] AND a.attnum <> 0),
                      pg_catalog.pg_get_indexdef(i.indexrelid, k, true)) ORDER BY k)
                    FROM generate_series(1, i.indnkeyatts) AS k),
                  'opclasses', (SELECT json_agg(o.opcname ORDER BY k.n)
                    FROM unnest(i.indclass) WITH ORDINALITY AS k(opc, n)
                    JOIN pg_catalog.pg_opclass o ON o.oid = k.opc)) ORDER BY ic.relname)
                FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
                JOIN pg_catalog.pg_am am ON am.oid = ic.relam
                WHERE i.indrelid = c.oid AND i.indisvalid), '[]'),
              'rows', CASE WHEN c.reltuples >= 0 AND c.relkind IN ('r', 'p', 'm') AND NOT c.relrowsecurity
                THEN c.reltuples::bigint END,
              'vectorVersion', (SELECT e.extversion FROM pg_catalog.pg_extension e WHERE e.extname = 'vector'))::text
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
              AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
              AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
              AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
              AND ($1::text IS NULL OR n.nspname = $1)
              AND (cardinality($2::text[]) = 0 OR n.nspname = ANY ($2))
              AND (cardinality($3::text[]) = 0 OR c.relname = ANY ($3))
              AND (NOT $4::boolean OR EXISTS (SELECT FROM pg_catalog.pg_attribute a
                JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                  AND b.typname IN ('vector', 'halfvec', 'sparsevec')))
            ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C" LIMIT\s""" + MOST;

    private final SqlConnection connection;
    private final List<String> schemas;
    private final Predicate<TableInfo> visible;

    /**
     * A reader of the catalogue.
     *
     * @param schemas the schemas to look at; empty is all
     * @param visible whether the caller may see a table
     */
    CatalogReader(SqlConnection connection, List<String> schemas, Predicate<TableInfo> visible) {
        this.connection = connection;
        this.schemas = schemas;
        this.visible = visible;
    }

    /** The tables of a schema, or of all schemas; with {@code vectorsOnly} only those with a vector column. */
    Future<List<TableInfo>> tables(@Nullable String schema, boolean vectorsOnly) {
        return read(schema, List.of(), vectorsOnly);
    }

    /** The tables of the schema that a caller calls {@code schema}: as written, or else as SQL takes the name. */
    Future<List<TableInfo>> inSchema(@Nullable String schema, boolean vectorsOnly) {
        return tables(schema, vectorsOnly)
                .compose(found -> !found.isEmpty() || schema == null
                        ? Future.succeededFuture(found)
                        : tables(schemaName(schema), vectorsOnly));
    }

    /** The name of a schema that a caller has written as in SQL; unchanged if it is not a valid name. */
    static String schemaName(String written) {
        return Identifiers.folded(written)
                .filter(parts -> parts.size() == 1)
                .map(List::getFirst)
                .orElse(written);
    }

    /**
     * The table that a caller calls {@code name}, qualified or not: as written, or else in lower case; without a schema the
     * one on the search path, then one in {@code public}, then the only one of that name.
     *
     * @throws ToolException in the future, with the tables there are
     */
    Future<TableInfo> table(String name) {
        List<String> parts = Identifiers.parts(name);
        if (parts.size() > 2 || parts.stream().anyMatch(String::isEmpty)) {
            return missing(name);
        }
        String schema = parts.size() == 2 ? parts.getFirst() : null;
        String table = parts.getLast();
        return find(schema, table).compose(found -> {
            if (found.isEmpty() && schema != null) {
                return find(schema.toLowerCase(Locale.ROOT), table).compose(again -> choose(name, again));
            }
            return choose(name, found);
        });
    }

    private Future<List<TableInfo>> find(@Nullable String schema, String table) {
        return read(schema, List.of(table, table.toLowerCase(Locale.ROOT)), false)
                .map(found -> {
                    List<TableInfo> exact = found.stream()
                            .filter(info -> info.name().equals(table))
                            .toList();
                    return exact.isEmpty() ? found : exact;
                });
    }

    private Future<TableInfo> choose(String name, List<TableInfo> found) {
        List<Predicate<TableInfo>> preferences =
                List.of(TableInfo::onPath, info -> info.schema().equals("public"), info -> found.size() == 1);
        for (Predicate<TableInfo> preferred : preferences) {
            for (TableInfo info : found) {
                if (preferred.test(info)) {
                    return Future.succeededFuture(info);
                }
            }
        }
        if (found.isEmpty()) {
            return missing(name);
        }
        return Future.failedFuture(new ToolException(
                FailureKind.INVALID_ARGUMENT, "Several tables are called '" + name + "'; say which: " + names(found)));
    }

    /** One whose name is shown as {@code name}, with a dot or a quotation mark in it; otherwise the failure. */
    private Future<TableInfo> missing(String name) {
        return tables(null, false).compose(all -> {
            List<TableInfo> shown = all.stream()
                    .filter(info -> info.name().equals(name) || info.fullName().equals(name))
                    .toList();
            return shown.isEmpty()
                    ? Future.failedFuture(new ToolException(
                            FailureKind.NOT_FOUND,
                            "Table '" + name + "' not found in database metadata." + near(name, all)
                                    + " Available tables: " + (all.isEmpty() ? "none" : names(all))))
                    : choose(name, shown);
        });
    }

    private static String near(String name, List<TableInfo> tables) {
        List<String> known = tables.stream()
                .flatMap(table -> Stream.of(table.name(), table.fullName()))
                .toList();
        return ClosestName.of(name, known)
                .map(near -> " Did you mean '" + near + "'?")
                .orElse("");
    }

    private static String names(List<TableInfo> tables) {
        List<String> names = new ArrayList<>(
                tables.stream().limit(NAMES_IN_ERRORS).map(TableInfo::fullName).toList());
        if (tables.size() > NAMES_IN_ERRORS) {
            names.add("and " + (tables.size() - NAMES_IN_ERRORS) + " more");
        }
        return String.join(", ", names);
    }

    private Future<List<TableInfo>> read(@Nullable String schema, List<String> names, boolean vectorsOnly) {
        Tuple parameters = Tuple.tuple()
                .addString(schema)
                .addArrayOfString(schemas.toArray(String[]::new))
                .addArrayOfString(names.toArray(String[]::new))
                .addBoolean(vectorsOnly);
        return connection.preparedQuery(SQL).execute(parameters).map(rows -> {
            List<TableInfo> tables = new ArrayList<>();
            for (Row row : rows) {
                TableInfo info = parse(row.getString(0));
                if (visible.test(info)) {
                    tables.add(info);
                }
            }
            return tables;
        });
    }

    private static TableInfo parse(String json) {
        try {
            return Json.mapper().readValue(json, TableInfo.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the catalogue query and TableInfo differ", e);
        }
    }
}
