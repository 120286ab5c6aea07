package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.HandClock;
import switchboard.testing.HookReceiver;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** News of standing questions that are sent to a receiver. */
class WebhooksTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8G";

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys = Stream.of("ann", "eve", "feed", "out")
            .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
    private final HandClock clock = HandClock.ticking(Instant.now());
    private final HookReceiver receiver = new HookReceiver(SECRET);
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("hook.key"), SECRET);
        grants("\"vectordb:*\"");
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                insight:
                  teams:
                    readers: {log: false, watches: {runsPerMinute: 6000, webhooks: {hosts: ["127.0.0.1:%1$d"], secret: '${file:hook.key}', allowPrivate: true}}}
                    others: {log: false, watches: {runsPerMinute: 6000, webhooks: {hosts: ["127.0.0.1:%1$d"], secret: '${file:hook.key}', allowPrivate: true}}}
                    outside: {log: false, watches: {runsPerMinute: 6000, webhooks: {hosts: ["127.0.0.1:%1$d"], secret: '${file:hook.key}'}}}
                    feed: {log: false, watches: {runsPerMinute: 6000}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(receiver.port()), folder, clock);
        ingest("barge", "A barge carries grain on the river.");
    }

    @AfterEach
    void stop() {
        gateway.close();
        receiver.close();
    }

    private void grants(String ofReaders) throws IOException {
        StringBuilder yaml = new StringBuilder("teams:\n");
        Map.of("readers", "ann", "others", "eve", "feed", "feed", "outside", "out")
                .forEach((team, id) ->
                        yaml.append("  %s: {keys: [{id: %s, sha256: %s}], grants: [\"switchboard:search,read\", %s]}\n"
                                .formatted(
                                        team,
                                        id,
                                        keys.get(id).sha256(),
                                        team.equals("readers") ? ofReaders : "\"vectordb:*\"")));
        Files.writeString(folder.resolve("teams.yaml"), yaml);
    }

    private McpTestClient client(String id) {
        return gateway.modern().with("Authorization", "Bearer " + keys.get(id).text());
    }

    private void ingest(String source, String text) {
        ToolResult stored = client("feed")
                .call("ingest_text", Json.object().put("content", text).put("source", source));
        assertFalse(stored.isError(), stored::toString);
    }

    private String url(String path) {
        return "http://127.0.0.1:" + receiver.port() + path;
    }

    private String ask(String id, String path) {
        ToolResult asked = client(id)
                .call("watch_search", Json.object().put("query", "grain").put("webhook", url(path)));
        assertFalse(asked.isError(), asked::toString);
        assertEquals(
                "waiting", asked.structured().at("/watches/0/webhook/status").asText());
        return asked.structured().at("/watches/0/watch").asText();
    }

    private JsonNode state(String id, String watch) {
        ObjectNode asked = Json.object().put("watch", watch);
        ToolResult read = client(id).call("watch_search", asked);
        assertFalse(read.isError(), read::toString);
        return read.structured().at("/watches/0/webhook");
    }

    private JsonNode becomes(String id, String watch, String status) {
        return Eventually.first(
                () -> state(id, watch), state -> state.path("status").asText().equals(status));
    }

    private List<HookReceiver.Received> received(String path, int count) {
        return Eventually.first(() -> receiver.at(path), all -> all.size() == count);
    }

    @Test
    void newsAreSentOnceSignedAndWithoutText() throws IOException {
        String watch = ask("ann", "/one");
        String eve = ask("eve", "/two");
        ingest("Müller 🛶", "Grain goes by canal, sécrètement.");
        HookReceiver.Received one = received("/one", 1).getFirst();
        assertTrue(one.signed(), one::toString);
        long seconds = Long.parseLong(one.time());
        assertTrue(Math.abs(seconds - clock.instant().getEpochSecond()) < 60, one::toString);
        JsonNode body = Json.parse(one.body().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertEquals("watch.news", body.path("type").asText());
        assertEquals(watch, body.at("/data/watch").asText());
        assertEquals(1, body.at("/data/news").size());
        assertEquals("vectordb:default", body.at("/data/news/0/source").asText());
        assertEquals("Müller 🛶", body.at("/data/news/0/title").asText());
        assertFalse(one.body().contains("canal"), one::body);
        assertTrue(received("/two", 1).getFirst().body().contains(eve));
        JsonNode state = becomes("ann", watch, "delivered");
        assertEquals("The receiver answered 200.", state.path("detail").asText());
        assertEquals(0, state.path("waiting").asInt());
        assertEquals(1, receiver.at("/one").size());
    }

    @Test
    void aFailureIsRetriedWithTheSameIdAlsoAfterARestart() {
        receiver.answers("/fails", 500, 302, HookReceiver.HANG);
        String watch = ask("ann", "/fails");
        ingest("silo", "Grain is in the silo.");
        assertTrue(becomes("ann", watch, "retrying").path("detail").asText().startsWith("The receiver answered 500."));
        ingest("mill", "Grain is ground in the mill.");
        Eventually.that(() -> state("ann", watch).path("waiting").asInt() == 2, () -> "both wait");
        gateway.restart();
        clock.forward(Duration.ofSeconds(30));
        received("/fails", 2);
        Eventually.that(
                () -> state("ann", watch).path("detail").asText().startsWith("The receiver answered 302."),
                () -> "no redirect is followed");
        clock.forward(Duration.ofMinutes(2));
        received("/fails", 3); // it hangs
        gateway.restart();
        clock.forward(Duration.ofMinutes(10));
        List<HookReceiver.Received> all = received("/fails", 5);
        becomes("ann", watch, "delivered");
        assertEquals(
                1,
                all.subList(0, 4).stream()
                        .map(HookReceiver.Received::id)
                        .distinct()
                        .count(),
                "the id stays");
        assertFalse(all.get(3).body().contains("mill"), "nothing is added after the first try");
        assertTrue(all.get(4).body().contains("mill"), all.get(4)::body);
        assertFalse(all.get(4).id().equals(all.get(0).id()));
        assertEquals(0, receiver.at("/redirected").size());
    }

    /** With the host, but not with the path, which may be a secret. */
    @Test
    void whatGoesOutIsInTheAuditLog() {
        receiver.answers("/hidden-path", 503, 204);
        String watch = ask("ann", "/hidden-path");
        ingest("silo", "Grain is in the silo.");
        received("/hidden-path", 1);
        becomes("ann", watch, "retrying");
        clock.forward(Duration.ofSeconds(6));
        becomes("ann", watch, "delivered");
        GrowingFile audit = new GrowingFile(folder.resolve("data/audit/audit.jsonl"));
        List<JsonNode> sent = Eventually.first(
                () -> audit.lines().stream()
                        .map(WebhooksTest::json)
                        .filter(line -> line.path("method").asText().equals("webhook"))
                        .toList(),
                lines -> lines.size() == 2);
        for (JsonNode line : sent) {
            assertEquals(
                    "readers/ann",
                    line.path("team").asText() + "/" + line.path("key").asText());
            assertEquals("[\"" + watch + "\"]", line.path("resources").toString());
            assertTrue(line.path("bytes").asInt() > 0, line::toString);
            assertFalse(line.toString().contains("hidden"), line::toString);
        }
        assertEquals("unavailable", sent.getFirst().path("outcome").asText());
        assertEquals("ok", sent.getLast().path("outcome").asText());
    }

    private static JsonNode json(String line) {
        try {
            return Json.parse(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aReceiverEndsItsWebhook() {
        receiver.answers("/gone", 410);
        String watch = ask("ann", "/gone");
        ingest("silo", "Grain is in the silo.");
        assertTrue(becomes("ann", watch, "ended").path("detail").asText().contains("410"));
        ingest("mill", "Grain is ground in the mill.");
        Eventually.that(
                () -> client("ann")
                                .call("watch_search", Json.object().put("watch", watch))
                                .structured()
                                .at("/watches/0/news_count")
                                .asInt()
                        == 2,
                () -> "the question goes on");
        assertEquals(0, state("ann", watch).path("waiting").asInt());
        assertEquals(1, receiver.at("/gone").size());
    }

    @Test
    void hangingReceiversOfATeamHoldUpNoOtherTeam() {
        for (int i = 0; i < 4; i++) {
            receiver.answers("/hang" + i, HookReceiver.HANG);
            ask("ann", "/hang" + i);
        }
        ask("eve", "/quick");
        ingest("silo", "Grain is in the silo.");
        received("/quick", 1);
        assertTrue(
                Stream.of(0, 1, 2, 3)
                                .mapToInt(i -> receiver.at("/hang" + i).size())
                                .sum()
                        <= 2,
                "a team has two under way at most");
    }

    @Test
    void whatMayNotBeReadAnyMoreIsNotSent() throws IOException {
        receiver.answers("/fails", 500);
        String watch = ask("ann", "/fails");
        ingest("silo", "Grain is in the silo.");
        becomes("ann", watch, "retrying");
        grants("\"vectordb:embed\"");
        Eventually.that(
                () -> client("ann")
                        .call("watch_search", Json.object().put("watch", watch))
                        .structured()
                        .at("/watches/0/news")
                        .isEmpty(),
                () -> "the right is gone");
        clock.forward(Duration.ofMinutes(1));
        assertTrue(becomes("ann", watch, "failed").path("detail").asText().contains("may not read"));
        assertEquals(1, receiver.at("/fails").size());
    }

    @Test
    void privateAddressesAreRefusedUnlessAllowed() {
        ToolResult plain = client("out")
                .call("watch_search", Json.object().put("query", "grain").put("webhook", url("/x")));
        assertTrue(plain.isError());
        assertTrue(plain.toString().contains("https://"), plain::toString);
        ToolResult asked = client("out")
                .call(
                        "watch_search",
                        Json.object()
                                .put("query", "grain")
                                .put("webhook", url("/x").replace("http:", "https:")));
        assertFalse(asked.isError(), asked::toString);
        ingest("silo", "Grain is in the silo.");
        JsonNode state =
                becomes("out", asked.structured().at("/watches/0/watch").asText(), "retrying");
        assertTrue(
                state.path("detail").asText().contains("insight.teams.outside.watches.webhooks.allowPrivate"),
                state::toString);
        assertEquals(0, receiver.at("/x").size());
    }

    @Test
    void refusalsNameFieldAndFix() {
        for (String wrong : List.of(
                "https://example.com/x",
                "//127.0.0.1/x",
                "http://127.0.0.1/x",
                "http://127.0.0.1:1/x",
                "https://u:p@127.0.0.1/",
                "no url")) {
            ToolResult refused = client("ann")
                    .call("watch_search", Json.object().put("query", "grain").put("webhook", wrong));
            assertTrue(refused.isError(), wrong);
            assertTrue(refused.toString().contains("webhook"), refused::toString);
            assertFalse(refused.toString().contains("whsec"), refused::toString);
        }
        ToolResult host = client("ann")
                .call("watch_search", Json.object().put("query", "grain").put("webhook", "https://example.com/x"));
        assertTrue(host.toString().contains("insight.teams.readers.watches.webhooks.hosts"), host::toString);
        ToolResult off = client("feed")
                .call("watch_search", Json.object().put("query", "grain").put("webhook", url("/x")));
        assertTrue(off.toString().contains("insight.teams.feed.watches.webhooks"), off::toString);
    }
}
