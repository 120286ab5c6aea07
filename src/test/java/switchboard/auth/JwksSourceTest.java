package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.FaultServer;
import switchboard.testing.Programs;

/** How the keys of an issuer are read: what it may answer, and for how long it may keep one waiting. */
class JwksSourceTest {
    private static final String TYPE = "application/jwk-set+json";

    private static byte[] read(FaultServer.Behaviour behaviour) throws Exception {
        try (FaultServer server = new FaultServer(behaviour)) {
            return JwksSource.url(server.url().resolve("/keys")).read();
        }
    }

    private static String refusal(FaultServer.Behaviour behaviour) {
        return assertThrows(IOException.class, () -> read(behaviour)).getMessage();
    }

    @Test
    void whatIsThereIsReadWithoutCredentials() throws Exception {
        try (FaultServer server = new FaultServer(FaultServer.reply(200, TYPE, "{\"keys\":[]}"))) {
            JwksSource source = JwksSource.url(server.url().resolve("/keys?a=b"));
            for (int i = 0; i < 2; i++) {
                assertArrayEquals("{\"keys\":[]}".getBytes(StandardCharsets.UTF_8), source.read());
            }
            String head = server.requests().getFirst();
            assertTrue(head.startsWith("GET /keys?a=b HTTP/1.1\r\n"), head);
            assertTrue(head.contains("Accept: application/jwk-set+json, application/json\r\n"), head);
            assertEquals(2, server.requests().size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 204, 401, 404, 500, 503})
    void onlyAnAnswerThatSaysThatItIsTheSetIsTakenForIt(int status) {
        assertEquals("it answers with status " + status, refusal(FaultServer.reply(status, TYPE, "")));
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        try (FaultServer elsewhere = new FaultServer(FaultServer.json("{}"))) {
            assertEquals(
                    "it answers with status 302",
                    refusal(FaultServer.reply(302, TYPE, "", "location: " + elsewhere.url())));
            assertEquals(List.of(), elsewhere.requests());
        }
    }

    @Test
    void aSetHasAtMostHalfAMebibyte() throws Exception {
        assertEquals(512 * 1024, read(FaultServer.reply(200, TYPE, "x".repeat(512 * 1024))).length);
        assertThrows(IOException.class, () -> read(FaultServer.reply(200, TYPE, "x".repeat(512 * 1024 + 1))));
        assertThrows(IOException.class, () -> read(FaultServer.endless()));
    }

    @Test
    void anIssuerThatIsNotThereOrBreaksOffFails() throws IOException {
        URI nowhere = URI.create("http://127.0.0.1:" + Programs.freePort() + "/keys");
        assertThrows(IOException.class, () -> JwksSource.url(nowhere).read());
        assertThrows(IOException.class, () -> read(FaultServer.reset()));
    }

    /** The limit is for the whole answer: one that trickles must not hold the executor's thread. */
    @Test
    void anIssuerHasFiveSeconds() {
        String half = "HTTP/1.1 200 OK\r\ncontent-type: " + TYPE + "\r\ncontent-length: 100\r\n\r\n{";
        long before = System.nanoTime();
        assertEquals("no answer within 5 s", refusal(FaultServer.silentAfter(half)));
        Duration waited = Duration.ofNanos(System.nanoTime() - before);
        assertTrue(waited.compareTo(Duration.ofSeconds(5)) >= 0, waited::toString);
        assertTrue(waited.compareTo(Duration.ofSeconds(60)) < 0, waited::toString);
    }
}
