package switchboard.config;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    enum Colour {
        RED,
        DARK_BLUE
    }

    record Inner(
            @Default("1s") @AllowedRange(min = "1ms", max = "1h")
            Duration pause,

            @Default("true") boolean on) {}

    record Engine(
            @Nullable URI url,
            @Nullable Secret apiKey,

            @Default("1MiB") @AllowedRange(min = "1KiB", max = "1GiB")
            Size limit,

            @Default("0.5") @AllowedRange(min = "0", max = "1")
            double share,

            @Default("red") Colour colour,
            @Default("\"\"") String prefix,
            List<String> names,
            Set<Integer> ports,
            Map<String, Integer> weights,
            Inner inner) {
        Engine {
            if (names.contains("forbidden")) {
                throw new IllegalArgumentException("names must not contain forbidden");
            }
        }
    }

    record Needy(String must) {}

    private static final String BACKEND = "backends:\n  e: {type: engine}\n";

    @TempDir
    Path folder;

    private GatewayConfig read(String yaml, String... flags) {
        Overrides overrides = flags.length == 0
                ? Overrides.NONE
                : new Overrides(Map.of(flags[0], new Overrides.Flag(flags[1], flags[2])));
        return new ConfigLoader(
                        Map.of("engine", Engine.class, "needy", Needy.class), Map.of("KEY", "s3cret", "PORT", "8181"))
                .parse(yaml, "test.yaml", folder, overrides);
    }

    private Engine engine(String settings) {
        return engine(read("backends:\n  e: {type: engine, " + settings + "}\n"));
    }

    private static Engine engine(GatewayConfig config) {
        return (Engine) requireNonNull(config.backends().get("e")).settings();
    }

    private List<String> problems(String yaml, String... flags) {
        return assertThrows(ConfigException.class, () -> read(yaml, flags)).problems().stream()
                .map(Problem::toString)
                .toList();
    }

    @Test
    void twoServersOnOnePortAreRefused() {
        assertEquals(
                List.of(
                        "test.yaml:1: management.port 8080 is that of server.port, too; give each a port of its own, or 0"
                                + " for any free one"),
                problems("management: {port: 8080}\n" + BACKEND));
        assertTrue(problems(BACKEND, "management.port", "--management-port", "8080")
                .getFirst()
                .startsWith("--management-port: management.port 8080 is that of server.port, too"));
        String console = "console: {enabled: true, port: 8080}\n";
        assertEquals(1, problems(console + BACKEND).size());
        assertEquals(
                1,
                problems("management: {host: 0.0.0.0, port: 8080}\n" + BACKEND).size());
        read("server: {port: 0}\nmanagement: {port: 0}\n" + BACKEND);
        read("management: {host: 127.0.0.2, port: 8080}\n" + BACKEND);
    }

    @Test
    void aTeamHasAName() {
        ConfigLoader loader = new ConfigLoader(Map.of(), Map.of());
        for (String name : List.of("", " ", "a\\nb")) {
            String yaml = "teams: {red: {}, \"" + name + "\": {}}";
            String problem = assertThrows(ConfigException.class, () -> loader.parseTeams(yaml, "teams.yaml"))
                    .problems()
                    .getFirst()
                    .toString();
            assertEquals(
                    "teams.yaml:1: the name of a team has at least one character and no control characters", problem);
        }
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        GatewayConfig config = read(BACKEND);
        assertEquals(8080, config.server().port());
        assertEquals(Duration.ofMinutes(1), config.server().requestTimeout());
        assertEquals(Size.ofMiB(4), config.server().maxBodySize());
        assertNull(config.server().publicUrl());
        assertEquals(List.of(), config.server().allowedOrigins());
        assertEquals(AuthConfig.Mode.NONE, config.auth().mode());
        Engine engine = engine(config);
        assertEquals(new Inner(Duration.ofSeconds(1), true), engine.inner());
        assertEquals(Colour.RED, engine.colour());
        assertEquals("", engine.prefix());
    }

    @Test
    void everyTypeIsRead() {
        Engine engine = engine("url: 'http://engine:7700/x', limit: 2KiB, share: 0.25, colour: dark-blue,"
                + " names: [a, b], ports: [1, 2, 2], weights: {x: 1}, inner: {pause: 250ms, on: false}");
        assertEquals(URI.create("http://engine:7700/x"), engine.url());
        assertEquals(new Size(2048), engine.limit());
        assertEquals(0.25, engine.share());
        assertEquals(Colour.DARK_BLUE, engine.colour());
        assertEquals(List.of("a", "b"), engine.names());
        assertEquals(Set.of(1, 2), engine.ports());
        assertEquals(Map.of("x", 1), engine.weights());
        assertEquals(new Inner(Duration.ofMillis(250), false), engine.inner());
    }

    @Test
    void aSectionWithOnlyCommentsIsEmpty() {
        assertEquals(
                8080,
                read(BACKEND + "server:\n  # nothing\nembedders:\n").server().port());
    }

    @Test
    void allProblemsAreReportedAtOnceWithTheirLines() {
        assertEquals(
                List.of(
                        "test.yaml:8: unknown key \"extra\"; known are audit, auth, backends, cluster, console, embedders, insight, limits, llm,"
                                + " management, reload, rerank, search, server, sessions, stdio, tasks, tracing, views",
                        "test.yaml:2: unknown key \"prt\" in server; did you mean port?",
                        "test.yaml:3: server.maxBodySize \"4MB\" is not a size such as 4MiB (units B, KiB, MiB, GiB,"
                                + " TiB)",
                        "test.yaml:5: management.port \"99999\" is outside the range 0 to 65535",
                        "test.yaml:7: backends.e.type \"engin\" is not a backend type; did you mean engine?"),
                problems("""
                    server:
                      prt: 80
                      maxBodySize: 4MB
                    management:
                      port: 99999
                    backends:
                      e: {type: engin}
                    extra: 1
                    """));
    }

    @Test
    void aKeyThatIsThereTwiceIsRefusedAndSaysWhereItWasFirst() {
        assertEquals(
                List.of("test.yaml:4: the key \"server\" occurs twice; first at test.yaml:3"),
                problems(BACKEND + "server: {port: 1}\nserver: {port: 2}\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        server: {port: eighty}          | server.port "eighty" is not a whole number
        server: {port: "80"}            | server.port is written without quotes (integer)
        server: {port: 8.5}             | server.port "8.5" is not a whole number
        server: {port: ~}               | server.port has no value; leave it out for the default
        server: {port: [1]}             | server.port is a single value (integer), not a list or a section
        server: {requestTimeout: 60}    | server.requestTimeout "60" is not a duration such as 250ms, 60s or 1h (units ms, s, m, h, d)
        server: {requestTimeout: 2d}    | server.requestTimeout "2d" is outside the range 1s to 1h
        server: {publicUrl: there}      | server.publicUrl "there" is not a URL such as http://host:7700
        server: {publicUrl: "https://x@h"}        | server.publicUrl must be of the form https://host[:port][/path], without a user, a query or a fragment
        server: {publicUrl: "https://h/?a=b"}     | server.publicUrl must be of the form https://host[:port][/path], without a user, a query or a fragment
        server: {publicUrl: "https://h/#a"}      | server.publicUrl must be of the form https://host[:port][/path], without a user, a query or a fragment
        server: {allowedOrigins: ["*"]}           | server.allowedOrigins: "*" is not of the form https://host[:port]
        server: {allowedOrigins: ["https://h/a"]} | server.allowedOrigins: "https://h/a" is not of the form https://host[:port]
        server: {allowedOrigins: ["h:8080"]}      | server.allowedOrigins: "h:8080" is not of the form https://host[:port]
        server: {allowedOrigins: ["https://a b"]} | server.allowedOrigins: "https://a b" is not of the form https://host[:port]
        server: {publicUrl: "ftp://h"}            | server.publicUrl must be of the form https://host[:port][/path], without a user, a query or a fragment
        server: {allowedOrigins: x}     | server.allowedOrigins is a list: write [a, b], or one "- a" a line
        server: 8080                    | server is a section with keys of its own, not a single value
        auth: {mode: open}              | auth.mode "open" is not one of none, keys
        sessions: {max: 0}              | sessions.max "0" is outside the range 1 to 1000000
        """)
    void aWrongValueIsNamedWithWhatWouldBeRight(String line, String message) {
        assertEquals(List.of("test.yaml:3: " + message), problems(BACKEND + line + "\n"));
    }

    @Test
    void originsAndAPublicUrlWithAPathAreAccepted() {
        ServerConfig server = read(BACKEND + "server: {publicUrl: \"https://a.example:8443/tools/mcp\","
                        + " allowedOrigins: [\"https://a.example\", \"http://b.example:3000/\"]}\n")
                .server();
        assertEquals(URI.create("https://a.example:8443/tools/mcp"), server.publicUrl());
        assertEquals(2, server.allowedOrigins().size());
    }

    @Test
    void aRequiredKeyIsMissedAtItsSection() {
        assertEquals(List.of("test.yaml:2: backends.n.must is missing"), problems("backends:\n  n: {type: needy}\n"));
        assertEquals(
                List.of("test.yaml:2: backends.n.type is missing; types are engine, needy"),
                problems("backends:\n  n: {}\n"));
        assertEquals(
                List.of("test.yaml:2: backends.n.type is missing; types are engine, needy"),
                problems("backends:\n  n:\n"));
    }

    @Test
    void whatARecordRefusesIsReportedAtItsSection() {
        assertEquals(
                List.of("test.yaml:2: names must not contain forbidden"),
                problems("backends:\n  e: {type: engine, names: [forbidden]}\n"));
    }

    @Test
    void aSecretComesFromTheEnvironmentOrAFileAndIsNeverShown() throws IOException {
        Files.writeString(folder.resolve("key"), "fr0mfile\n");
        Engine env = engine("apiKey: '${env:KEY}'");
        assertEquals(Secret.of("s3cret"), env.apiKey());
        assertFalse(env.toString().contains("s3cret"));
        assertEquals(Secret.of("fr0mfile"), engine("apiKey: '${file:key}'").apiKey());
    }

    @Test
    void aSecretWrittenOutIsRefusedWithoutRepeatingIt() {
        String problem =
                problems("backends:\n  e: {type: engine, apiKey: hunter2}\n").getFirst();
        assertEquals(
                "test.yaml:2: backends.e.apiKey is a secret: give it as ${env:NAME} or ${file:PATH}, not in this file",
                problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"${env:ABSENT}", "${file:absent}", "x${env:KEY}", "${env:KEY", "${vault:KEY}"})
    void aReferenceThatLeadsNowhereIsAProblem(String reference) {
        List<String> problems = problems("backends:\n  e: {type: engine, apiKey: '" + reference + "'}\n");
        assertEquals(1, problems.size());
        assertTrue(problems.getFirst().startsWith("test.yaml:2: backends.e.apiKey " + reference + ": "));
        assertFalse(problems.getFirst().contains("s3cret"));
    }

    @Test
    void aReferenceWorksForOtherValuesTooAndABadOneIsNotShown() {
        assertEquals(
                8181, read(BACKEND + "server: {port: '${env:PORT}'}\n").server().port());
        assertEquals(
                List.of("test.yaml:3: server.port ${env:KEY}: the value found is not a whole number"),
                problems(BACKEND + "server: {port: '${env:KEY}'}\n"));
    }

    @Test
    void aFlagWinsOverTheFileAndIsNamedInProblems() {
        assertEquals(
                1234,
                read(BACKEND + "server: {port: 1}\n", "server.port", "--port", "1234")
                        .server()
                        .port());
        assertEquals(List.of("--port: \"x\" is not a whole number"), problems(BACKEND, "server.port", "--port", "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "'::1'", "127.8.9.1"})
    void withoutAuthenticationLoopbackIsAccepted(String host) {
        read(BACKEND + "server: {host: " + host + "}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "192.168.1.1", "example.com", "'::'"})
    void withoutAuthenticationOtherAddressesAreRefused(String host) {
        String problem = problems(BACKEND + "server: {host: " + host + "}\n").getFirst();
        assertTrue(problem.startsWith("test.yaml:3: server.host"), problem);
        assertTrue(problem.contains("auth.mode none"), problem);
        assertTrue(
                problems(BACKEND, "server.host", "--host", "0.0.0.0").getFirst().startsWith("--host: "));
    }

    @Test
    void viewsNameExistingBackendsAndHaveUrlsOfTheirOwn() {
        assertEquals(
                List.of(
                        "test.yaml:4: the backend e has the URL /mcp/e already; choose another name",
                        "test.yaml:5: there is no backend \"f\"; known are e"),
                problems(BACKEND + "views:\n  e: {backends: [e]}\n  v: {backends: [f]}\n"));
    }

    @Test
    void sourcesNameExistingBackendsAndEmbedders() {
        assertEquals(
                List.of(
                        "test.yaml:6: search.sources.f:Notes: there is no backend \"f\"; known are e",
                        "test.yaml:7: search.sources.e:a.b.embedder: there is no embedder \"prse\"; did you mean"
                                + " prose?",
                        "test.yaml:8: search.sources.nowhere: there is no backend \"nowhere\"; known are e",
                        "test.yaml:8: search.sources.nowhere.embedder: there is no embedder \"other\"; known are"
                                + " default, prose"),
                problems(BACKEND + """
                        embedders: {prose: {provider: none}}
                        search:
                          sources:
                            f:Notes: {weight: 2}
                            e:a.b: {embedder: prse}
                            nowhere: {embedder: other}
                            e: {embedder: default}
                        """));
    }

    @Test
    void brokenYamlSaysWhere() {
        assertTrue(problems("server: {port: 1\nbackends: [").getFirst().startsWith("test.yaml:2: not YAML: "));
        assertTrue(problems("- a\n").getFirst().startsWith("test.yaml:1: a configuration consists of sections"));
        assertEquals(
                List.of("backends: there is no backend; without one there are no tools"),
                problems("").stream()
                        .map(p -> p.replace("test.yaml", "backends"))
                        .toList());
    }

    @Test
    void aMissingFileAndOneThatIsNotTextAreProblemsToo() throws IOException {
        ConfigLoader loader = new ConfigLoader(Map.of(), Map.of());
        Path absent = folder.resolve("absent.yaml");
        Path binary = Files.write(folder.resolve("b.yaml"), "é".getBytes(StandardCharsets.ISO_8859_1));
        ConfigException missing = assertThrows(ConfigException.class, () -> loader.load(absent, Overrides.NONE));
        ConfigException garbled = assertThrows(ConfigException.class, () -> loader.load(binary, Overrides.NONE));
        assertEquals(
                List.of(new Problem(absent.toString(), "there is no such file; name another one with --config")),
                missing.problems());
        assertEquals(List.of(new Problem(binary.toString(), "is not UTF-8")), garbled.problems());
    }

    @ParameterizedTest
    @CsvSource({"0B,0", "1KiB,1024", "4MiB,4194304", "3GiB,3221225472", "1TiB,1099511627776"})
    void sizesReadAndPrintTheSame(String text, long bytes) {
        assertEquals(bytes, Size.parse(text).bytes());
        assertEquals(text, Size.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4", "4MB", "-1B", "4 MiB", "9999999999999TiB", "1.5GiB"})
    void otherSizesAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Size.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"250ms,250", "60s,60000", "90s,90000", "2h,7200000", "1d,86400000", "0s,0"})
    void durationsAreRead(String text, long millis) {
        assertEquals(Duration.ofMillis(millis), DurationText.parse(text));
    }
}
