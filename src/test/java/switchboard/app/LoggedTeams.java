package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.HookReceiver;
import switchboard.testing.McpTestClient;
import switchboard.testing.PrintedCommand;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * A gateway whose teams have their searches logged in different ways, an operator with the commands, and a look at all bytes that are
 * in its data folder. The key of a team is called as the team with {@code -key}; {@code full} has another one, {@code full-two}.
 */
abstract class LoggedTeams {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8G";
    private static final List<String> TEAMS = List.of("full", "other", "hashed", "without", "silent", "unlogged");

    @TempDir
    Path folder;

    final Map<String, ApiKey> keys = new TreeMap<>();
    final HookReceiver receiver = new HookReceiver(SECRET);
    TestGateway gateway;

    /** The gateway's clock; the commands have that of the system. */
    Clock clock() {
        return Clock.systemUTC();
    }

    final String yaml() {
        return """
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                insight:
                  teams:
                    full: {watches: {runsPerMinute: 6000, webhooks: {hosts: ["127.0.0.1:%1$d"], secret: '${file:hook.key}', allowPrivate: true}}}
                    other: {watches: {runsPerMinute: 6000, webhooks: {hosts: ["127.0.0.1:%1$d"], secret: '${file:hook.key}', allowPrivate: true}}}
                    hashed: {queries: hash}
                    without: {queries: none}
                    silent: {log: false}
                backends: {vectordb: {type: vectordb}}
                """.formatted(receiver.port());
    }

    @BeforeEach
    final void start() throws IOException {
        TEAMS.forEach(team -> keys.put(team + "-key", ApiKey.generate(new SecureRandom())));
        keys.put("full-two", ApiKey.generate(new SecureRandom()));
        members(keys);
        Files.writeString(folder.resolve("hook.key"), SECRET);
        Files.writeString(folder.resolve("switchboard.yaml"), yaml());
        gateway = TestGateway.start(yaml(), folder, clock());
        ingest("canarytitle", "A barge carries grain on the river.");
    }

    @AfterEach
    final void stop() {
        gateway.close();
        receiver.close();
    }

    /** Writes the teams file with these keys. */
    final void members(Map<String, ApiKey> all) throws IOException {
        Files.writeString(
                folder.resolve("teams.yaml"),
                TEAMS.stream()
                        .map(team -> "  %s: {keys: [%s], grants: [\"switchboard:search,read\", \"vectordb:*\"]}\n"
                                .formatted(
                                        team,
                                        all.entrySet().stream()
                                                .filter(key -> key.getKey().startsWith(team + "-"))
                                                .map(key -> "{id: %s, sha256: %s}"
                                                        .formatted(
                                                                key.getKey(),
                                                                key.getValue().sha256()))
                                                .collect(Collectors.joining(", "))))
                        .collect(Collectors.joining("", "teams:\n", "")));
    }

    /** Of the key with this id, or of the only key of a team. */
    final McpTestClient client(String who) {
        ApiKey key = keys.getOrDefault(who, keys.get(who + "-key"));
        return gateway.modern().with("Authorization", "Bearer " + key.text());
    }

    final ToolResult ok(String who, String tool, ObjectNode arguments) {
        ToolResult result = client(who).call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result;
    }

    final String ingest(String source, String text) {
        return ok("full", "ingest_text", Json.object().put("content", text).put("source", source))
                .structured()
                .path("doc_id")
                .asText();
    }

    final JsonNode found(String who, String query) {
        return ok(who, "search_everywhere", Json.object().put("query", query)).structured();
    }

    /** Searches and reads the first hit, whose address it gives. */
    final String searched(String who, String query) {
        String address = found(who, query).at("/results/0/address").asText();
        read(who, address);
        return address;
    }

    final void read(String who, String address) {
        ok(who, "fetch_document", Json.object().put("address", address));
    }

    final void logged(String team, int lines) {
        Eventually.that(() -> lines(team).size() == lines, () -> lines(team).size() + " lines of " + team);
    }

    final List<JsonNode> lines(String team) {
        List<JsonNode> lines = new ArrayList<>();
        try {
            new InsightFolder(folder).read(team, lines::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    /** Files outside of the documents' own store that have {@code text}, or whose name has it. */
    final List<String> files(String text) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> !folder.relativize(file).startsWith("data"))
                    .filter(file -> folder.relativize(file).toString().contains(text)
                            || bytes(file).contains(text))
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty for a folder, and for a file that has been replaced meanwhile. */
    static String bytes(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }

    final String command(String... what) {
        return PrintedCommand.run(folder, what).succeeded();
    }

    final String forget(String... what) {
        return command(
                Stream.concat(Stream.of("insight", "forget"), Stream.of(what)).toArray(String[]::new));
    }

    final void gone(String text) {
        Eventually.that(() -> in(text).isEmpty(), () -> text + " is in " + in(text));
    }

    /** As {@link #files}, while files come and go; without the files that the operator writes. */
    final List<String> in(String text) {
        try {
            return files(text).stream()
                    .filter(file -> !file.equals("teams.yaml") && !file.equals("switchboard.yaml"))
                    .toList();
        } catch (UncheckedIOException _) {
            return List.of("a file that went meanwhile");
        }
    }

    final String asked(String who, ObjectNode arguments) {
        return ok(who, "watch_search", arguments)
                .structured()
                .at("/watches/0/watch")
                .asText();
    }

    final String asked(String who, String query) {
        return asked(who, Json.object().put("query", query));
    }

    final JsonNode watch(String who, String uri) {
        return ok(who, "watch_search", Json.object().put("watch", uri))
                .structured()
                .at("/watches/0");
    }

    /** The address of the webhook {@code path}. */
    final String hook(String path) {
        return "http://127.0.0.1:" + receiver.port() + path;
    }
}
