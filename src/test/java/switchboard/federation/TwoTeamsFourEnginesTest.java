package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import switchboard.auth.ApiKey;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.EmbeddingServer;
import switchboard.testing.LoadedEngine.Document;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * Two teams whose documents lie side by side in one library, one table, one collection and one index, told apart by owner,
 * role, tenant and filter: {@code search_everywhere}, {@code list_sources} and {@code fetch_document} show each its own.
 */
@Tag("engines")
class TwoTeamsFourEnginesTest {
    private static final List<String> TEAMS = List.of("red", "blue");
    private static final List<String> ENGINES = List.of("vectordb", "postgres", "weaviate", "meilisearch");
    private static final List<String> WORDS = List.of("river", "stone", "harbour", "lantern", "orchard", "thunder");
    /** Of a team in an engine. */
    private static final int DOCUMENTS = 6;

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final Map<String, ApiKey> KEYS = TEAMS.stream()
            .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
    private static final CollectionEngine WEAVIATE = new CollectionEngine();
    private static final IndexEngine MEILISEARCH = new IndexEngine();
    private static final EmbeddingServer VECTORS = new EmbeddingServer(Path.of("target", "eval-vectors"));

    @TempDir
    static Path folder;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        Map<String, List<Document>> documents = new HashMap<>();
        for (String engine : ENGINES.subList(1, ENGINES.size())) {
            for (String team : TEAMS) {
                documents.put(engine + team, documents(engine, team));
            }
        }
        postgres(documents);
        Map<String, List<Document>> tenants = new TreeMap<>();
        TEAMS.forEach(team -> tenants.put(team, documents.get("weaviate" + team)));
        WEAVIATE.loadTenants("Notes", List.of("team", "text", "url"), tenants);
        List<Document> index = new ArrayList<>();
        TEAMS.forEach(team -> index.addAll(documents.get("meilisearch" + team)));
        MEILISEARCH.load("notes", Map.of("team", "text", "text", "text", "url", "text"), index);
        gateway = gateway();
        for (String team : TEAMS) {
            for (int i = 0; i < DOCUMENTS; i++) {
                ToolResult stored = client(team)
                        .call(
                                "ingest_text",
                                Json.object()
                                        .put("content", text("vectordb", team, i))
                                        .put("source", url("vectordb", team, i))
                                        .put("library", "notes"));
                assertFalse(stored.isError(), stored::toString);
            }
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
        WEAVIATE.close();
        MEILISEARCH.close();
        VECTORS.close();
    }

    private static String text(String engine, String team, int number) {
        return team + "secret in " + engine + ": " + WORDS.get(number) + " and " + WORDS.get((number + 1) % 6);
    }

    private static String url(String engine, String team, int number) {
        return "https://" + engine + ".example/" + team + "-" + number;
    }

    private static List<Document> documents(String engine, String team) throws Exception {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            texts.add(text(engine, team, i));
        }
        List<float[]> vectors = VECTORS.vectors(texts);
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(new Document(
                    DOCUMENTS * TEAMS.indexOf(team) + i + 1,
                    Json.object().put("team", team).put("text", texts.get(i)).put("url", url(engine, team, i)),
                    vectors.get(i)));
        }
        return documents;
    }

    private static String role(String team) {
        return team + "_" + CLUSTER.database();
    }

    /** One table; its policy shows each team's role its own rows. */
    private static void postgres(Map<String, List<Document>> documents) {
        StringBuilder sql = new StringBuilder("""
                CREATE EXTENSION IF NOT EXISTS vector;
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                CREATE ROLE nobody_%1$s LOGIN; GRANT USAGE ON SCHEMA public TO nobody_%1$s;
                CREATE TABLE notes (id int PRIMARY KEY, team text, text text, url text, embedding vector(%2$d));
                ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON notes USING (current_user = team || '_%1$s');
                """.formatted(CLUSTER.database(), VECTORS.dimension()));
        for (String team : TEAMS) {
            sql.append("CREATE ROLE %1$s LOGIN; GRANT USAGE ON SCHEMA public TO %1$s; GRANT SELECT ON notes TO %1$s;\n"
                    .formatted(role(team)));
            for (Document document : documents.get("postgres" + team)) {
                sql.append("INSERT INTO notes VALUES (%d, '%s', '%s', '%s', '%s');\n"
                        .formatted(
                                document.id(),
                                team,
                                document.fields().path("text").asText(),
                                document.fields().path("url").asText(),
                                Arrays.toString(document.vector())));
            }
        }
        CLUSTER.sql(sql.toString());
    }

    private static TestGateway gateway() throws IOException {
        Files.writeString(
                folder.resolve("teams.yaml"),
                TEAMS.stream()
                        .map(team -> """
                                  %1$s:
                                    keys: [{id: %1$s1, sha256: %2$s}]
                                    grants: ["*:*"]
                                    bindings:
                                      vectordb: {owner: %1$s}
                                      postgres: {role: %1$s}
                                      weaviate: {tenant: %1$s}
                                      meilisearch: {filter: '"team" = "%1$s"'}
                                """.formatted(team, KEYS.get(team).sha256()))
                        .collect(Collectors.joining("", "teams:\n", "")));
        return TestGateway.start(
                VECTORS.yaml()
                        + """
                        auth: {mode: keys}
                        console: {enabled: true}
                        audit: {to: none}
                        backends:
                          vectordb: {type: vectordb}
                          postgres:
                            type: postgres
                            connection: {host: 127.0.0.1, port: %1$d, database: %2$s, user: nobody_%2$s}
                            access: {roles: {red: {user: %3$s}, blue: {user: %4$s}}}
                          weaviate: {type: weaviate, %5$s, embedder: default}
                          meilisearch: {type: meilisearch, %6$s, embedder: default}
                        """.formatted(
                                        CLUSTER.port(),
                                        CLUSTER.database(),
                                        role("red"),
                                        role("blue"),
                                        WEAVIATE.settings(),
                                        MEILISEARCH.settings()),
                folder);
    }

    private static McpTestClient client(String team) {
        return gateway.modern().with("Authorization", "Bearer " + KEYS.get(team).text());
    }

    private static String other(String team) {
        return team.equals("red") ? "blue" : "red";
    }

    private static List<ToolResult> searches(String team) {
        List<ToolResult> answers = new ArrayList<>();
        for (String query : List.of("river stone", team + "secret", other(team) + "secret", "thunder")) {
            answers.add(client(team)
                    .call(
                            "search_everywhere",
                            Json.object().put("query", query).put("limit", 100).put("detail", "passages")));
        }
        return answers;
    }

    @Test
    void eachFindsAllOfItsOwnInEveryEngineAndNothingOfTheOther() {
        for (String team : TEAMS) {
            for (ToolResult answer : searches(team)) {
                assertFalse(answer.isError(), answer::toString);
                answer.structured()
                        .path("sources")
                        .forEach(source ->
                                assertEquals("ok", source.path("status").asText(), source::toString));
                TreeSet<String> urls = new TreeSet<>();
                for (JsonNode hit : answer.structured().path("results")) {
                    urls.add(hit.path("url").asText());
                    assertTrue(hit.path("text").asText().startsWith(team + "secret"), hit::toString);
                }
                TreeSet<String> own = new TreeSet<>();
                ENGINES.forEach(engine -> {
                    for (int i = 0; i < DOCUMENTS; i++) {
                        own.add(url(engine, team, i));
                    }
                });
                assertEquals(own, urls);
            }
        }
    }

    /** A person of each team searches in a real Chromium, opens what each engine has found, and sees nothing of the other team. */
    @Test
    void inTheConsoleAPersonFindsWhatTheOwnTeamHasInEachEngine() {
        URI search = gateway.app().consoleUrl().orElseThrow().resolve("search?q=river+stone+secret&limit=100");
        try (Browser browser = Browser.start()) {
            for (String team : TEAMS) {
                browser.driver().manage().deleteAllCookies();
                browser.open(search);
                browser.waitUntil(
                        "the sign-in", page -> page.findElement(By.id("key")).isDisplayed());
                browser.driver()
                        .findElement(By.id("key"))
                        .sendKeys(KEYS.get(team).text(), Keys.ENTER);
                browser.waitUntil(
                        "the page", page -> page.findElement(By.id("main")).isDisplayed());
                browser.open(search); // who has no session is told so by a 401, which is no error of the search
                browser.waitUntil(
                        "all of " + team,
                        page -> page.findElements(By.tagName("hit-card")).size() == ENGINES.size() * DOCUMENTS);
                String text = browser.driver().findElement(By.id("main")).getText();
                for (String engine : ENGINES) {
                    assertTrue(text.contains(team + "secret in " + engine), text);
                    opens(browser, engine, team);
                }
                assertFalse(text.contains(other(team) + "secret"), text);
                assertEquals(List.of(), browser.errors());
            }
        }
    }

    private static void opens(Browser browser, String engine, String team) {
        browser.driver()
                .findElement(By.xpath(
                        "(//hit-card[contains(., '" + team + "secret in " + engine + "')]//a[@class='hit-title'])[1]"))
                .click();
        By panel = By.cssSelector("dialog.panel[open]");
        browser.waitUntil(
                "the document", page -> page.findElement(panel).getText().contains(team + "secret in " + engine));
        browser.driver().switchTo().activeElement().sendKeys(Keys.ESCAPE);
        browser.waitUntil("it is closed", page -> page.findElements(panel).isEmpty());
    }

    @Test
    void neitherLearnsHowMuchTheOtherHas() {
        for (String team : TEAMS) {
            JsonNode sources =
                    client(team).call("list_sources", "{}").structured().path("sources");
            assertEquals(ENGINES.size(), sources.size(), sources::toString);
            for (JsonNode source : sources) {
                assertTrue(source.path("documents").asInt(0) <= DOCUMENTS, source::toString);
            }
        }
    }

    @Test
    void whatOneFoundTheOtherCantFetch() {
        for (String team : TEAMS) {
            for (JsonNode hit : searches(team).getFirst().structured().path("results")) {
                String address = "{\"address\": \"" + hit.path("address").asText() + "\"}";
                ToolResult own = client(team).call("fetch_document", address);
                assertTrue(own.toString().contains(team + "secret"), own::toString);
                ToolResult stolen = client(other(team)).call("fetch_document", address);
                assertTrue(stolen.isError(), stolen::toString);
                assertFalse(stolen.toString().contains("secret"), stolen::toString);
            }
        }
    }
}
