package switchboard.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.testing.LoadedEngine.Document;
import switchboard.testing.OpenSearchServer;
import switchboard.testing.PostgresCluster;

/**
 * The engines of a gateway, each with documents of the department {@code it} and, if wanted, documents of {@code hr} beside them.
 * What only {@code hr} may read has the word {@link #CANARY} in each of its parts.
 */
final class HiddenEngines implements AutoCloseable {
    /** In what is hidden, and nowhere else. */
    static final String CANARY = "kanari";

    /** The ids of hidden objects in Weaviate. */
    static final List<String> SECRETS =
            List.of("00000000-0000-4000-8007-000000000003", "00000000-0000-4000-8007-000000000004");

    static final String OPEN_TEXT = "The granite quarry opens at eight. Lanterns hang there.";
    static final String HIDDEN_TEXT = "The granite quarry pays bonuses of 4711 to kanari, says the payroll.";

    private static final float[] VECTOR = {1, 0};

    private final CollectionEngine weaviate = new CollectionEngine();
    private final IndexEngine meilisearch = new IndexEngine();
    private final PostgresCluster cluster;
    private final OpenSearchServer opensearch;
    private final String index;
    /** Names of collections, so that two gateways can share an engine. */
    private final String papers;

    private final String rooms;

    /** The engines with what {@code hidden} documents are to be in them; the index of OpenSearch is {@code index}. */
    HiddenEngines(PostgresCluster cluster, OpenSearchServer opensearch, String index, boolean hidden) {
        this.cluster = cluster;
        this.opensearch = opensearch;
        this.index = index;
        this.papers = hidden ? "Papers" : "TwinPapers";
        this.rooms = hidden ? "Rooms" : "TwinRooms";
        List<Document> open =
                List.of(document(1, "it", OPEN_TEXT, "open"), document(2, "it", "A map of the quarry.", "map"));
        List<Document> secret = hidden
                ? List.of(
                        document(3, "hr", HIDDEN_TEXT, "kanari payroll"),
                        document(4, "hr", "The kanari lantern of the quarry.", "kanari lamp"))
                : List.of();
        List<Document> all = new ArrayList<>(open);
        all.addAll(secret);
        weaviate.loadWhole(papers, "dept", List.of("title", "text", "url"), all);
        weaviate.loadTenants(rooms, List.of("dept", "title", "text", "url"), Map.of("it", open, "hr", secret));
        meilisearch.load(papers, Map.of("dept", "text", "title", "text", "text", "text", "url", "text"), all);
        postgres(all);
        opensearch.send("PUT", "/" + index, """
                {"mappings": {"properties": {"dept": {"type": "keyword"}, "text": {"type": "text"},
                 "title": {"type": "text"}, "url": {"type": "keyword"}}}}""");
        all.forEach(document -> opensearch.send(
                "PUT", "/" + index + "/_doc/" + document.id() + "?refresh=true", Json.text(document.fields())));
    }

    private static Document document(int id, String department, String text, String title) {
        return new Document(
                id,
                Json.object()
                        .put("dept", department)
                        .put("title", title)
                        .put("text", text)
                        .put("url", "https://papers.example/" + title.replace(' ', '-')),
                VECTOR);
    }

    private void postgres(List<Document> documents) {
        String rows = documents.stream()
                .map(document -> "(%d, '%s', '%s', '%s', '%s', '[1,0]')"
                        .formatted(
                                document.id(),
                                document.fields().path("dept").asText(),
                                document.fields().path("title").asText(),
                                document.fields().path("text").asText(),
                                document.fields().path("url").asText()))
                .collect(Collectors.joining(", "));
        cluster.sql("""
                CREATE EXTENSION IF NOT EXISTS vector;
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                DO $$ BEGIN CREATE ROLE matrix_base LOGIN; CREATE ROLE matrix_it LOGIN; CREATE ROLE matrix_hr LOGIN;
                EXCEPTION WHEN duplicate_object THEN NULL; END $$;
                GRANT USAGE ON SCHEMA public TO matrix_base, matrix_it, matrix_hr;
                CREATE TABLE papers (id int PRIMARY KEY, dept text, title text, text text, url text, v vector(2));
                INSERT INTO papers VALUES %s;
                GRANT SELECT ON papers TO matrix_base, matrix_it, matrix_hr;
                ALTER TABLE papers ENABLE ROW LEVEL SECURITY;
                CREATE POLICY groups ON papers TO matrix_base USING (
                    dept = ANY (coalesce(nullif(current_setting('app.groups', true), ''), '{}')::text[]));
                CREATE POLICY it ON papers TO matrix_it USING (dept = 'it');
                CREATE POLICY hr ON papers TO matrix_hr USING (true);
                ANALYZE papers;
                """.formatted(rows));
    }

    /** The backends of a gateway in front of them. */
    String yaml() {
        String connection = "connection: {host: 127.0.0.1, port: %d, database: %s, user: matrix_base}"
                .formatted(cluster.port(), cluster.database());
        return """
                  weaviate: {type: weaviate, writes: true, logs: {enabled: true, source: gateway}, %1$s}
                  rooms: {type: weaviate, %1$s}
                  meilisearch: {type: meilisearch, %2$s}
                  opensearch: {type: opensearch, url: "%3$s", indices: [%4$s]}
                  settings:
                    type: postgres
                    %5$s
                    queries:
                      all_papers: {description: The papers that I may read., sql: "SELECT id, title, text FROM papers ORDER BY id"}
                  roles:
                    type: postgres
                    %5$s
                    access: {roles: {it: {user: matrix_it}, hr: {user: matrix_hr}}}
                """.formatted(weaviate.settings(), meilisearch.settings(), opensearch.url(), index, connection);
    }

    /** {@code text} with the names of this gateway's engines instead of those of roles that tests write. */
    String named(String text) {
        return text.replace("%PAPERS%", weaviate.name(papers))
                .replace("%ROOMS%", weaviate.name(rooms))
                .replace("%MEILI%", meilisearch.name(papers))
                .replace("%INDEX%", index)
                .replace("%DATABASE%", cluster.database());
    }

    /** The opposite, so that answers of two gateways can be compared. */
    String plain(String text) {
        return text.replace(meilisearch.name(papers), "%MEILI%")
                .replace(weaviate.name(papers), "%PAPERS%")
                .replace(weaviate.name(rooms), "%ROOMS%")
                .replace(index, "%INDEX%")
                .replace(cluster.database(), "%DATABASE%")
                .replace(weaviate.url().toString(), "%WEAVIATE%")
                .replace(meilisearch.url().toString(), "%MEILISEARCH%");
    }

    @Override
    public void close() {
        weaviate.close();
        meilisearch.close();
        opensearch.send("DELETE", "/" + index, "");
    }
}
