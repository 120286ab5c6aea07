package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HeldAnswers;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;
import switchboard.testing.ResumingClient;
import switchboard.testing.logs.AsksForErrors;

/** The gateway where a call runs is paused or killed, or the database goes, while the client reads the answer elsewhere. */
@Tag("engines")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedAnswerFaultsTest {
    /** A process that was paused may find that its threads were blocked meanwhile. */
    private static final String PAUSED = "BlockedThreadChecker";

    private static final String PROGRESS = "test_tool_with_progress";

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(
                postgres, "faults", folder, "sessions: { resume: { after: 1ms, retry: 10ms, keep: 10m } }");
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    private static HeldAnswers held() {
        return new HeldAnswers(replicas.fixture(), UnaryOperator.identity());
    }

    private static String broken(RawHttp call) {
        String first = ResumingClient.ids(call.readUntil("\"progress\":100")).getFirst();
        call.reset();
        return first;
    }

    private static void signal(String signal, GatewayProcess process) {
        Programs.run(List.of("kill", "-" + signal, Long.toString(process.pid())), null);
    }

    @AsksForErrors(PAUSED)
    @Test
    void aPausedGatewayIsWaitedForAndOneThatIsKilledIsReported() {
        ResumingClient client = new ResumingClient(replicas, 0, replicas.red());
        try (GatewayProcess process = replicas.process();
                HeldAnswers held = held()) {
            String paused = broken(client.call(process.url(), "7", PROGRESS));
            String killed = broken(client.call(process.url(), "\"eight\"", PROGRESS));
            signal("STOP", process);
            try (RawHttp rest = client.resume(1, paused)) {
                rest.readUntil("retry: 10");
                signal("CONT", process);
                held.release();
                assertTrue(rest.readAll().contains("All of it."));
            }
            try (RawHttp rest = client.resume(2, killed)) {
                rest.readUntil("All of it.");
            }
            dies(client, process);
        }
    }

    private static void dies(ResumingClient client, GatewayProcess process) {
        try (HeldAnswers held = held()) {
            String first = broken(client.call(process.url(), "\"nine\"", PROGRESS));
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("\"progress\":100");
                process.kill();
                String stream = rest.readAll();
                assertTrue(stream.contains("\"id\":\"nine\",\"error\""), stream);
                assertTrue(stream.contains("send it again if it was not"), stream);
                assertEquals(5, ResumingClient.ids(stream).size(), stream);
            }
            try (RawHttp late = client.resume(2, first)) {
                String stream = late.readAll();
                assertTrue(stream.contains("\"id\":\"nine\",\"error\""), stream);
            }
            held.release();
        }
    }

    private static boolean accepts(URI url) {
        try (Socket connection = new Socket("127.0.0.1", url.getPort())) {
            return connection.isConnected();
        } catch (IOException _) {
            return false;
        }
    }

    private static long messages() {
        return Long.parseLong(
                postgres.sql("SELECT last_value FROM faults.message_id_seq").strip());
    }

    /** Nobody is connected to it any more, but its call is under way, and so is the answer to the reader elsewhere. */
    @Test
    void aGatewayThatStopsFinishesWhatIsReadOnAnother() {
        ResumingClient client = new ResumingClient(replicas, 0, replicas.red());
        try (GatewayProcess process = replicas.process();
                HeldAnswers held = held()) {
            String first = broken(client.call(process.url(), "7", PROGRESS));
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("\"progress\":100");
                process.terminate();
                Eventually.within(Eventually.OF_A_PROCESS, () -> !accepts(process.url()), process::log);
                long before = messages();
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> messages() > before,
                        () -> "it is still asked for the answer: " + process.log());
                held.release();
                String stream = rest.readAll();
                assertTrue(stream.contains("All of it."), stream);
            }
        }
    }

    @AsksForErrors(PAUSED)
    @Test
    void aGatewayThatIsPausedForTooLongCountsAsGone() {
        ResumingClient client = new ResumingClient(replicas, 0, replicas.red());
        try (GatewayProcess process = replicas.process();
                HeldAnswers held = held()) {
            String first = broken(client.call(process.url(), "7", PROGRESS));
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("\"progress\":100");
                signal("STOP", process);
                try {
                    String stream = rest.readAll();
                    assertTrue(stream.contains("\"id\":7,\"error\""), stream);
                } finally {
                    signal("CONT", process);
                }
            }
            held.release();
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> {
                        try (RawHttp again = client.resume(2, first)) {
                            return again.readAll().contains("All of it.");
                        }
                    },
                    () -> "it runs again, and still has the answer");
        }
    }

    @Test
    void withoutTheDatabaseTheClientIsToldToWaitAndAnOpenStreamGoesOnAfterwards() {
        ResumingClient client = new ResumingClient(replicas, 0, replicas.red());
        for (int index = 1; index < 3; index++) {
            replicas.proxy().to(index);
            assertEquals(200, client.session().request("ping", Json.object()).status());
        }
        replicas.proxy().inTurn();
        try (HeldAnswers held = held()) {
            String first = broken(client.call(0, "7", PROGRESS));
            try (RawHttp rest = client.resume(1, first)) {
                rest.readUntil("\"progress\":100");
                postgres.kill();
                try {
                    try (RawHttp refused = client.resume(2, first)) {
                        String answer = refused.readAll();
                        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
                        assertTrue(answer.toLowerCase(Locale.ROOT).contains("retry-after: 2"), answer);
                    }
                    held.release();
                } finally {
                    postgres.restart();
                }
                assertTrue(rest.readAll().contains("All of it."));
            }
        }
    }
}
