package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import switchboard.app.Installation;
import switchboard.testing.FaultServer;

/** {@code doctor} in the situations that it is asked in: each is named, with what to do, and the exit code says so. */
class DoctorTest {
    @TempDir
    Path folder;

    private record Outcome(int code, String out) {
        /** The line about {@code what}. */
        String line(String what) {
            return out.lines()
                    .filter(line -> line.startsWith("ok   " + what + ":") || line.startsWith("BAD  " + what + ":"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("nothing about " + what + " in\n" + out));
        }

        void bad(String what, String... words) {
            assertEquals(1, code, out);
            String line = line(what);
            assertTrue(line.startsWith("BAD  "), line);
            for (String word : words) {
                assertTrue(line.contains(word), () -> word + " in: " + line);
            }
        }

        void good(String what, String words) {
            String line = line(what);
            assertTrue(line.startsWith("ok   ") && line.contains(words), line);
        }
    }

    @Test
    void whatIsWellIsSaid() throws IOException {
        Outcome outcome = run("backends: {vectordb: {type: vectordb}}", folder.resolve("data"));
        assertEquals(0, outcome.code(), outcome.out());
        assertFalse(outcome.out().contains("BAD"), outcome.out());
        for (String about : new String[] {"JDK", "installation", "data folder", "disk", "configuration"}) {
            outcome.good(about, "");
        }
        outcome.good("vectordb engine", "up");
    }

    @Test
    void aTakenPortIsNamedWithWhatToDo() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outcome outcome = run(
                    "backends: {vectordb: {type: vectordb}}", folder.resolve("data"), "--port=" + taken.getLocalPort());
            outcome.bad("server.port " + taken.getLocalPort(), "ss -ltnp", "--port");
            outcome.good("vectordb engine", "up");
        }
    }

    @Test
    void aFolderThatCantBeWrittenToIsNamedWithWhoCant() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        Outcome outcome = run("backends: {vectordb: {type: vectordb}}", file.resolve("data"));
        outcome.bad("data folder", System.getProperty("user.name"), "--data");
    }

    @Test
    void littleRoomIsNamed() {
        DoctorReport doctorReport = new DoctorReport();
        MachineCheck check = new MachineCheck(Installation.current().withData(folder), doctorReport);
        check.disk(folder, 1024);
        assertTrue(doctorReport.sound());
        assertEquals(List.of("ok   disk: 1024 MiB free at " + folder), doctorReport.lines());
        check.disk(folder, 1023);
        assertFalse(doctorReport.sound());
        assertTrue(
                doctorReport.lines().getLast().startsWith("BAD  disk: only 1023 MiB free at "),
                doctorReport.lines()::toString);
        check.disk(folder, 1024);
        assertFalse(doctorReport.sound(), "a finding stays");
    }

    @Test
    void anOldJdkIsNamed() {
        DoctorReport doctorReport = new DoctorReport();
        MachineCheck check = new MachineCheck(Installation.current(), doctorReport);
        check.jdk(25);
        assertTrue(doctorReport.sound(), doctorReport.lines()::toString);
        check.jdk(24);
        assertFalse(doctorReport.sound(), doctorReport.lines()::toString);
        assertTrue(doctorReport.lines().getLast().contains("JAVA_HOME"), doctorReport.lines()::toString);
    }

    @Test
    void everyProblemOfTheConfigurationIsAFinding() throws IOException {
        Outcome outcome = run("backends: {vectordb: {type: vectordb, colour: red}}", folder.resolve("data"));
        outcome.bad("configuration", "unknown key \"colour\"");
        outcome.good("JDK", "25");
    }

    @Test
    void anEngineThatIsDownIsNamedAndTheOthersAreLookedAt() throws IOException {
        Outcome outcome = run("""
                backends:
                  vectordb: {type: vectordb}
                  weaviate: {type: weaviate, url: "http://127.0.0.1:9"}
                  meilisearch: {type: meilisearch, url: "http://127.0.0.1:9"}
                """, folder.resolve("data"));
        outcome.bad("weaviate engine", "refuses connections");
        outcome.bad("meilisearch engine", "refuses connections");
        outcome.good("vectordb engine", "up");
    }

    @Test
    void aKeyThatTheEngineDoesNotTakeIsNamedWithWhereToPutAnother() throws IOException {
        HttpServer weaviate = engine("/v1/.well-known/ready", 401);
        HttpServer meilisearch = engine("/health", 403);
        try {
            Outcome outcome = run("""
                    backends:
                      weaviate: {type: weaviate, url: "%s"}
                      meilisearch: {type: meilisearch, url: "%s"}
                    """.formatted(url(weaviate), url(meilisearch)), folder.resolve("data"));
            outcome.good("weaviate engine", "answers");
            outcome.bad("weaviate key", "refused (401)", "apiKey");
            outcome.bad("weaviate rights", "role");
            outcome.bad("meilisearch key", "refused (403)", "indexes.get");
            outcome.good("meilisearch version", "works without it");
        } finally {
            weaviate.stop(0);
            meilisearch.stop(0);
        }
    }

    @Test
    void aClockThatIsWrongIsNamed() throws IOException {
        String late = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plus(Duration.ofHours(3)));
        try (FaultServer engine = new FaultServer(FaultServer.reply(
                200, "application/json", "{\"version\": \"1.37.0\", \"classes\": [{}]}", "date: " + late))) {
            Outcome outcome = run("""
                    backends: {weaviate: {type: weaviate, url: "%s"}}
                    """.formatted(engine.url()), folder.resolve("data"));
            outcome.bad("weaviate clock", "ahead of", "NTP");
            outcome.good("weaviate key", "1.37.0");
            outcome.good("weaviate rights", "1 collections");
        }
    }

    private static final String MODELS = """
            llm: {url: "%1$s", model: talker, apiKey: "${file:%2$s}"}
            embedders: {default: {provider: openai, url: "%1$s", model: words, dimension: 3, apiKey: "${file:%2$s}"}}
            backends: {vectordb: {type: vectordb}}
            """;

    private String models(String url) throws IOException {
        return MODELS.formatted(url, Files.writeString(folder.resolve("key"), "sk-operators-secret"));
    }

    @Test
    void modelsThatAnswerAreWell() throws IOException {
        String answer = "{\"choices\": [], \"data\": [{\"index\": 0, \"embedding\": [1, 0, 0]}]}";
        try (FaultServer provider = new FaultServer(FaultServer.reply(200, "application/json", answer))) {
            Outcome outcome = runAll(models(provider.url().toString()), folder.resolve("data"));
            assertEquals(0, outcome.code(), outcome.out());
            outcome.good("language model provider", "answers");
            outcome.good("embedder default provider", "answers");
        }
    }

    @Test
    void modelsThatRefuseTheKeyAreNamedWithoutIt() throws IOException {
        String answer = "{\"error\": {\"message\": \"Incorrect API key provided: sk-operators-secret\"}}";
        for (int status : new int[] {401, 403}) {
            try (FaultServer provider = new FaultServer(FaultServer.reply(status, "application/json", answer))) {
                Outcome outcome = runAll(models(provider.url().toString()), folder.resolve("data"));
                outcome.bad("language model provider", "refuses the gateway's key (" + status + ")", "llm.apiKey");
                outcome.bad("embedder default provider", "refuses the gateway's key", "apiKey of the embedder");
                assertFalse(outcome.out().contains("operators-secret"), outcome.out());
            }
        }
    }

    @Test
    void modelsThatCantBeReachedAreNamed() throws IOException {
        Outcome outcome = runAll(models("http://127.0.0.1:9"), folder.resolve("data"));
        outcome.bad("language model provider", "refuses connections");
        outcome.bad("embedder default provider", "can't be reached", "url of the embedder");
        assertFalse(outcome.line("embedder default provider").contains("doctor"), outcome.out());
        outcome.good("vectordb engine", "up");
    }

    @Test
    void anEmbedderWhoseVectorsHaveAnotherLengthIsNamed() throws IOException {
        String answer = "{\"choices\": [], \"data\": [{\"index\": 0, \"embedding\": [1, 0]}]}";
        try (FaultServer provider = new FaultServer(FaultServer.reply(200, "application/json", answer))) {
            Outcome outcome = runAll(models(provider.url().toString()), folder.resolve("data"));
            outcome.bad("embedder default provider", "dimension: 2");
        }
    }

    /** An engine that is ready, and takes no key. */
    private static HttpServer engine(String ready, int refusal) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals(ready) ? 200 : refusal, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static URI url(HttpServer server) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private Outcome run(String backends, Path data, String... more) throws IOException {
        return runAll("embedders: {default: {provider: none}}\n" + backends, data, more);
    }

    private Outcome runAll(String settings, Path data, String... more) throws IOException {
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
                server: {port: 0}
                management: {port: 0}
                """ + settings);
        StringWriter out = new StringWriter();
        CommandLine command = new CommandLine(new DoctorCommand())
                .setExecutionExceptionHandler(new CommandFailures())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out));
        String[] arguments = Stream.concat(Stream.of("--config=" + config, "--data=" + data), Stream.of(more))
                .toArray(String[]::new);
        int code = command.execute(arguments);
        return new Outcome(code, out.toString());
    }
}
