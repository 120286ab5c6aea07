package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What a team does in one gateway, and what comes of it. */
final class TeamLife {
    final TestGateway gateway;
    final McpTestClient client;
    final String team;
    final List<String> answers = new ArrayList<>();
    final List<String> own = new ArrayList<>();
    int searches;

    private int texts;

    TeamLife(TestGateway gateway, McpTestClient client, String team) {
        this.gateway = gateway;
        this.client = client;
        this.team = team;
    }

    private JsonNode watches(ObjectNode arguments) {
        ToolResult result = client.call("watch_search", arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured().path("watches");
    }

    private JsonNode watch(String uri) {
        return watches(Json.object().put("watch", uri)).path(0);
    }

    String ask(String query, String... sources) {
        ObjectNode asked = Json.object().put("query", query).put("limit", 100);
        List.of(sources).forEach(asked.putArray("sources")::add);
        JsonNode begun = watches(asked).path(0);
        String uri = begun.path("watch").asText();
        own.add(uri);
        Eventually.that(
                () -> !watch(uri).path("last_run").equals(begun.path("last_run")), () -> "it is not asked again");
        return uri;
    }

    /** A document that is found by a commit alone, because the question was asked again before. */
    void told(String uri, String source) {
        store(
                client,
                "ingest_text",
                source,
                "shared",
                team + "secret river news of " + source + " stone".repeat(1 + texts++));
        Eventually.that(
                () -> watch(uri).path("news").findValuesAsText("title").contains(source),
                () -> "no news: " + watch(uri));
    }

    private void note(ToolResult answer) {
        String text = plain(answer);
        for (int i = 0; i < own.size(); i++) {
            text = text.replace(own.get(i), "watch://" + i);
        }
        answers.add(text);
    }

    void note(String tool, ObjectNode arguments) {
        note(client.call(tool, arguments));
    }

    /** A tool that only operators may know of. */
    void noteGaps() {
        ObjectNode params = Json.object().put("name", "search_gaps");
        params.putObject("arguments").put("team", team);
        noteRequest("tools/call", params);
    }

    private void noteRequest(String method, ObjectNode params) {
        note(new ToolResult(((ObjectNode) client.request(method, params).json()).without("id")));
    }

    private void noteSearches() {
        List<ToolResult> all = answers(client);
        all.forEach(this::note);
        searches += all.size() - 2;
    }

    /** What is read and checked of the first hits, and of what belongs to others. */
    void noteReads(Strangers others) {
        ToolResult found = client.call("search_everywhere", Json.object().put("query", "river stone"));
        searches++;
        note(found);
        ObjectNode cited = Json.object();
        for (JsonNode hit : found.structured().path("results")) {
            cited.withArray("citations").add(hit.at("/ref/cite"));
            note("fetch_document", Json.object().set("address", hit.path("address")));
        }
        assertTrue(cited.path("citations").size() > 3, found::toString);
        note("check_citation", cited);
        others.citations().forEach(one -> {
            ObjectNode strange = Json.object();
            strange.putArray("citations").add(one);
            note("check_citation", strange);
        });
        others.addresses()
                .forEach(address -> note("fetch_document", Json.object().put("address", address)));
        for (String uri : others.watches()) {
            note("watch_search", Json.object().put("watch", uri));
            note("watch_search", Json.object().put("watch", uri).put("query", "river"));
            note("watch_search", Json.object().put("watch", uri).put("end", true));
            noteRequest("resources/read", Json.object().put("uri", uri));
        }
    }

    /** As much as may be, with what another team does {@code meanwhile}. */
    void live(Supplier<Strangers> meanwhile) {
        meanwhile.get();
        noteSearches();
        note("watch_search", Json.object());
        String river = ask("river");
        told(river, "first");
        String quiet = ask("river", "vectordb:quiet");
        JsonNode run = watch(quiet).path("last_run");
        noteReads(meanwhile.get());
        assertEquals(run, watch(quiet).path("last_run"), "it was asked because of somebody else");
        told(river, "second");
        meanwhile.get();
        noteSearches();
        for (String uri : own) {
            note("watch_search", Json.object().put("watch", uri));
            noteRequest("resources/read", Json.object().put("uri", uri));
        }
        note("watch_search", Json.object());
        note("watch_search", Json.object().put("watch", quiet).put("end", true));
        noteRequest("resources/list", Json.object());
        noteGaps();
        noteReads(meanwhile.get());
    }

    /** What the log has of the team, without what differs from run to run. */
    List<String> logged() {
        List<String> lines = new ArrayList<>();
        Eventually.that(
                () -> {
                    lines.clear();
                    read(gateway.data(), team, line -> lines.add(line(line)));
                    return lines.stream()
                                    .filter(line -> line.contains("\"event\":\"search\""))
                                    .count()
                            == searches;
                },
                () -> lines.size() + " lines for " + searches + " searches");
        return lines;
    }

    private static void read(Path data, String team, Consumer<JsonNode> lines) {
        try {
            new InsightFolder(data).read(team, lines::accept);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(JsonNode line) {
        ObjectNode rest = line.deepCopy();
        for (String id : List.of("id", "search", "after", "rest_of")) {
            if (rest.has(id)) {
                rest.put(id, true);
            }
        }
        return steady(Json.text(rest));
    }
    /** Without what differs from store to store: ids and times. */
    private static String plain(ToolResult result) {
        return steady(result.toString());
    }

    static String steady(String text) {
        return text.replaceAll("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
                .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME")
                .replaceAll("\\\\?\"ms\\\\?\":[0-9]+", "MS");
    }

    private static List<ToolResult> answers(McpTestClient client) {
        List<ToolResult> answers = new ArrayList<>();
        for (String query : List.of("river stone", "redsecret", "bluesecret", "copper", "harbour lantern velvet")) {
            answers.add(client.call(
                    "search_everywhere", Json.object().put("query", query).put("limit", 50)));
            ObjectNode named = Json.object().put("query", query);
            named.putArray("sources").add("archive:*-notes").add("vectordb:shared");
            answers.add(client.call("search_everywhere", named.put("skip_results", 2)));
            ObjectNode explained = Json.object().put("query", query).put("explain", true);
            answers.add(client.call("search_everywhere", explained.put("mode", "keyword")));
        }
        answers.add(client.call("list_sources", "{}"));
        answers.add(client.call("find_tools", "{\"task\": \"delete a document\", \"limit\": 50}"));
        return answers;
    }

    static void store(McpTestClient client, String tool, String source, String library, String text) {
        ToolResult stored = client.call(
                tool, Json.object().put("content", text).put("source", source).put("library", library));
        assertFalse(stored.isError(), stored::toString);
    }

    /** What belongs to another team. */
    record Strangers(List<String> watches, List<String> addresses, List<String> citations) {
        static final Strangers NONE = new Strangers(List.of(), List.of(), List.of());
    }
}
