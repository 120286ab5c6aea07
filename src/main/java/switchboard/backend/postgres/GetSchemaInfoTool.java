package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.text.ClosestName;

/** {@code get_schema_info}: the tables that can be read, their columns, constraints and indexes. */
record GetSchemaInfoTool(DatabaseAccess databaseAccess) implements ToolHandler<GetSchemaInfoTool.Args> {
    record Args(
            @Nullable String schema_name,
            boolean vector_tables_only,
            @Nullable String table_name,
            @Nullable String database,
            int offset) {}

    @Override
    public String name() {
        return "get_schema_info";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        List<String> schemas = databaseAccess.schemas(context.caller());
        return databaseAccess.own(args.database(), context, Set.of(DatabaseAccess.SCHEMAS), (connection, database) -> {
            CatalogReader catalogReader = new CatalogReader(
                    connection,
                    schemas,
                    table -> databaseAccess.visible(context.caller(), table.schema(), table.name()));
            String table = args.table_name();
            Future<List<TableInfo>> tables = table == null
                    ? catalogReader.inSchema(args.schema_name(), args.vector_tables_only())
                    : catalogReader
                            .table(args.schema_name() == null ? table : args.schema_name() + "." + table)
                            .map(List::of);
            String schema = args.schema_name();
            return tables.compose(all -> all.isEmpty() && schema != null
                    ? catalogReader.tables(null, false).map(known -> empty(schema, known))
                    : Future.succeededFuture(answer(all, args.offset())));
        });
    }

    /** The answer for a schema without matching tables: it does not exist for the caller, or nothing in it matches. */
    private ToolReply empty(String schema, List<TableInfo> known) {
        List<String> schemas =
                known.stream().map(TableInfo::schema).distinct().sorted().toList();
        return schemas.contains(schema) || schemas.contains(CatalogReader.schemaName(schema))
                ? answer(List.of(), 0)
                : ToolReply.failed(
                        FailureKind.NOT_FOUND,
                        "There is no schema \"" + schema + "\" with tables that you may read."
                                + ClosestName.of(schema, schemas)
                                        .map(near -> " Did you mean " + near + "?")
                                        .orElse("")
                                + " Schemas: "
                                + (schemas.isEmpty() ? "none" : String.join(", ", schemas)) + ".");
    }

    private ToolReply answer(List<TableInfo> all, int offset) {
        int from = Math.min(offset, all.size());
        int to = Math.min(all.size(), from + databaseAccess.limits().tables());
        List<TableInfo> shown = all.subList(from, to);
        StringBuilder text = new StringBuilder("Database Schema Information:\n============================\n");
        ArrayNode tables = Json.array();
        for (TableInfo table : shown) {
            describe(text, table);
            tables.add(json(table));
        }
        ObjectNode structured = Json.object();
        structured.set("tables", tables);
        structured.put("total", all.size());
        if (to < all.size()) {
            structured.put("next_offset", to);
            text.append('\n')
                    .append(all.size() - to)
                    .append(" more tables. Call again with offset: ")
                    .append(to)
                    .append(", or narrow it with schema_name or table_name.");
        }
        return ToolReply.withText(text.toString(), structured, List.of("total", "next_offset"));
    }

    private static void describe(StringBuilder text, TableInfo table) {
        text.append('\n')
                .append(table.fullName())
                .append(" (")
                .append(table.kindName())
                .append(")\n");
        if (table.comment() != null) {
            text.append("  Description: ").append(table.comment()).append('\n');
        }
        text.append("  Columns:\n");
        for (TableInfo.Column column : table.columns()) {
            text.append("    - ").append(column.name()).append(": ").append(column.type());
            if (column.vector() != null && !column.type().contains("(")) {
                text.append(
                        column.dimensions() == 0
                                ? " (dimensions: 0, any)"
                                : " (dimensions: " + column.dimensions() + ")");
            }
            text.append(column.nullable() ? " (nullable)\n" : "\n");
            if (column.comment() != null) {
                text.append("      Description: ").append(column.comment()).append('\n');
            }
        }
        if (!table.constraints().isEmpty()) {
            text.append("  Constraints:\n");
            table.constraints()
                    .forEach(constraint ->
                            text.append("    - ").append(constraint).append('\n'));
        }
        if (!table.indexes().isEmpty()) {
            text.append("  Indexes:\n");
            table.indexes()
                    .forEach(index -> text.append("    - ").append(line(index)).append('\n'));
        }
    }

    private static String line(TableInfo.Index index) {
        String metric = index.metric().isEmpty() ? "" : ", " + index.metric() + " distance";
        return index.name() + ": " + index.method() + " (" + String.join(", ", index.columns()) + ")"
                + (index.unique() ? ", unique" : metric);
    }

    private static ObjectNode json(TableInfo table) {
        ObjectNode json = Json.object()
                .put("schema", table.schema())
                .put("name", table.name())
                .put("kind", table.kindName())
                .put("comment", table.comment());
        ArrayNode columns = json.putArray("columns");
        for (TableInfo.Column column : table.columns()) {
            ObjectNode one = columns.addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("nullable", column.nullable())
                    .put("comment", column.comment());
            if (column.vector() != null) {
                one.put("dimensions", column.dimensions());
                table.indexes().stream()
                        .filter(index -> index.nearest(column.name()))
                        .forEach(index -> one.withArray("vector_indexes")
                                .addObject()
                                .put("method", index.method())
                                .put("metric", index.metric()));
            }
        }
        ArrayNode constraints = json.putArray("constraints");
        table.constraints().forEach(constraints::add);
        ArrayNode indexes = json.putArray("indexes");
        table.indexes().forEach(index -> indexes.add(line(index)));
        return json;
    }
}
