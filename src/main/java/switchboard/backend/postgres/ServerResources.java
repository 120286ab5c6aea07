package switchboard.backend.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ResourceProvider;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.Verb;

/** Resources about the server: {@code pg://system_info}, {@code pg://stat/activity}, {@code pg://stat/replication}. */
final class ServerResources implements ResourceProvider {
    /** One resource. */
    enum ServerResource {
        SYSTEM_INFO(
                "pg://system_info",
                "PostgreSQL System Information",
                "Version, operating system and build of the database server."),
        ACTIVITY(
                "pg://stat/activity",
                "PostgreSQL Activity",
                "Up to 100 other sessions of the server and what state they are in; needs the verb admin."),
        REPLICATION(
                "pg://stat/replication",
                "PostgreSQL Replication",
                "Replicas of the server and how far they are behind; needs the verb admin.");

        private final String uri;
        private final String title;
        private final String description;

        ServerResource(String uri, String title, String description) {
            this.uri = uri;
            this.title = title;
            this.description = description;
        }

        String uri() {
            return uri;
        }

        String title() {
            return title;
        }

        String description() {
            return description;
        }

        /** Whether {@code caller} may read it: other sessions may use any table, so that only operators may see them. */
        boolean visible(Caller caller) {
            return this == SYSTEM_INFO || caller.mayEverywhere(Verb.ADMIN);
        }
    }

    private static final String MIME_TYPE = "application/json";
    private static final String HIDDEN = "(not shown)";

    private static final String ACTIVITY_SQL = """
            SELECT row_to_json(a)::text FROM (SELECT datname, pid, usename, application_name,
                client_addr, backend_start, state, query FROM pg_catalog.pg_stat_activity
              WHERE pid <> pg_catalog.pg_backend_pid() ORDER BY backend_start, pid LIMIT 100) AS a""";

    private static final String REPLICATION_SQL = """
            SELECT row_to_json(r)::text FROM (SELECT pid, usename, application_name, client_addr, client_port,
                backend_start, state, sent_lsn, write_lsn, flush_lsn, replay_lsn, coalesce(write_lag::text, 'N/A') AS write_lag,
                coalesce(flush_lag::text, 'N/A') AS flush_lag, coalesce(replay_lag::text, 'N/A') AS replay_lag,
                sync_state FROM pg_catalog.pg_stat_replication ORDER BY application_name, pid LIMIT 100) AS r""";

    private final DatabaseAccess databaseAccess;
    private final boolean showSql;

    /** {@code showSql}: whether the SQL of other sessions is shown. */
    ServerResources(DatabaseAccess databaseAccess, boolean showSql) {
        this.databaseAccess = databaseAccess;
        this.showSql = showSql;
    }

    /** The resources that {@code caller} may read. */
    List<ServerResource> visible(Caller caller) {
        return Arrays.stream(ServerResource.values())
                .filter(known -> known.visible(caller))
                .toList();
    }

    /** The contents of a resource; empty if it does not exist for the caller. */
    Future<Optional<ObjectNode>> contents(String uri, @Nullable String database, CallContext context) {
        Optional<ServerResource> found = visible(context.caller()).stream()
                .filter(known -> known.uri().equals(uri))
                .findFirst();
        if (found.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return databaseAccess
                .own(database, context, Set.of(), (connection, connected) -> switch (found.get()) {
                    case SYSTEM_INFO -> systemInfo(connection);
                    case ACTIVITY -> activity(connection);
                    case REPLICATION -> replication(connection);
                })
                .map(Optional::of);
    }

    private static Future<ObjectNode> systemInfo(SqlConnection connection) {
        return connection
                .preparedQuery("SELECT version(), pg_catalog.current_setting('server_version_num')")
                .execute()
                .map(rows -> {
                    Row row = rows.iterator().next();
                    return Json.tree(ServerVersion.parse(row.getString(0), row.getString(1)));
                });
    }

    private Future<ObjectNode> activity(SqlConnection connection) {
        return objects(connection, ACTIVITY_SQL).map(sessions -> {
            if (!showSql) {
                sessions.forEach(session -> hideSql((ObjectNode) session));
            }
            ObjectNode contents = Json.object().put("activity_count", sessions.size());
            contents.set("activities", sessions);
            return contents.put("description", "Sessions of the server other than this one.");
        });
    }

    /** Removes a statement's text except its first word, which names the kind of statement. */
    private static void hideSql(ObjectNode session) {
        String sql = session.path("query").asText("");
        String word = sql.strip().split("[^A-Za-z]", 2)[0].toUpperCase(Locale.ROOT);
        session.put("query", sql.isBlank() ? "" : (word + " " + HIDDEN).strip());
    }

    private static Future<ObjectNode> replication(SqlConnection connection) {
        return objects(connection, REPLICATION_SQL).map(replicas -> {
            ObjectNode contents = Json.object().put("replica_count", replicas.size());
            contents.set("replicas", replicas);
            return contents.put("status", replicas.isEmpty() ? "No replicas connected" : "Replicas connected")
                    .put("description", "Replicas that stream from the server.");
        });
    }

    private static Future<ArrayNode> objects(SqlConnection connection, String sql) {
        return connection.preparedQuery(sql).execute().map(rows -> {
            ArrayNode objects = Json.array();
            for (Row row : rows) {
                objects.add(parse(row.getString(0)));
            }
            return objects;
        });
    }

    private static JsonNode parse(String json) {
        try {
            return Json.parse(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("row_to_json writes JSON", e);
        }
    }

    @Override
    public Future<BackendReply.Resources> list(@Nullable String cursor, CallContext context) {
        return Future.succeededFuture(new BackendReply.Resources(
                visible(context.caller()).stream()
                        .map(known -> Json.object()
                                .put("uri", known.uri())
                                .put("name", known.title())
                                .put("description", known.description())
                                .put("mimeType", MIME_TYPE))
                        .toList(),
                null));
    }

    @Override
    public Future<BackendReply.Resources> templates(@Nullable String cursor, CallContext context) {
        return Future.succeededFuture(new BackendReply.Resources(List.of(), null));
    }

    @Override
    public boolean owns(String uri) {
        return uri.startsWith("pg://");
    }

    @Override
    public Future<BackendReply.Contents> read(String uri, CallContext context) {
        return contents(uri, null, context)
                .map(found -> new BackendReply.Contents(found.map(contents -> List.of(Json.object()
                                .put("uri", uri)
                                .put("mimeType", MIME_TYPE)
                                .put("text", Json.text(contents))))
                        .orElse(List.of())));
    }

    @Override
    public Future<BackendReply.Completion> complete(
            String template, String argument, String value, CallContext context) {
        return Future.succeededFuture(new BackendReply.Completion(List.of(), 0, false));
    }
}
