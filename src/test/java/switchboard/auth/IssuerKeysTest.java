package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.TestIssuer;

/** When an issuer's keys are read, and which of them are used. */
@ExtendWith(VertxExtension.class)
class IssuerKeysTest {
    private static final Set<String> ALGORITHMS = Set.of("RS256", "ES256");
    private static final String OLD = jwks("old");
    private static final String NEW = jwks("new");

    private Vertx vertx;
    private BlockingExecutor executor;
    private IssuerKeys keys;
    private final HandClock clock = new HandClock(Instant.parse("2026-06-01T00:00:00Z"));
    private final Deque<Supplier<String>> answers = new ConcurrentLinkedDeque<>();
    private final AtomicInteger reads = new AtomicInteger();

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
        executor = new BlockingExecutor(vertx, new SimpleMeterRegistry(), "issuer-keys", 4, 256, TeamShare.ALL);
        keys = keys(this::read);
    }

    private byte[] read() throws IOException {
        reads.incrementAndGet();
        Supplier<String> answer = answers.poll();
        if (answer == null) {
            throw new IOException("down");
        }
        return answer.get().getBytes(StandardCharsets.UTF_8);
    }

    private IssuerKeys keys(JwksSource source) {
        return new IssuerKeys(
                vertx,
                "test",
                source,
                new IssuerKeys.Trust(ALGORITHMS, Duration.ofMinutes(10), Duration.ofHours(1)),
                executor,
                clock);
    }

    @AfterEach
    void close() {
        executor.close().await();
    }

    @Test
    void knownKeysAreReadOnceInARefreshPeriod() {
        answers.add(now(OLD));
        for (int i = 0; i < 100; i++) {
            assertTrue(keys.forKey("RS256", "old").await().has("RS256", "old"));
        }
        assertEquals(1, reads.get());
        answers.add(now(NEW));
        clock.forward(Duration.ofMinutes(10));
        assertFalse(keys.forKey("RS256", "old").await().has("RS256", "old"), "a key that was taken back");
        assertTrue(keys.forKey("RS256", "new").await().has("RS256", "new"));
        assertEquals(3, reads.get(), "the key that is not there any more was looked for once more");
    }

    @Test
    void aKnownKeyNeedsNoThread() {
        answers.add(now(OLD));
        keys.forKey("RS256", "old").await();
        executor.close().await();
        assertTrue(keys.forKey("RS256", "old").isComplete());
    }

    /** A set is as long as its issuer makes it. */
    @Test
    void theFirstHundredKeysOfASetAreUsed() throws IOException {
        ObjectNode set = (ObjectNode) Json.parse(OLD.getBytes(StandardCharsets.UTF_8));
        ObjectNode key = (ObjectNode) set.path("keys").path(0);
        ArrayNode many = set.putArray("keys");
        for (int i = 1; i <= 101; i++) {
            many.add(key.deepCopy().put("kid", "k" + i));
        }
        VerifyingKeys used = VerifyingKeys.of(vertx, VerifyingKeys.parse(Json.bytes(set)), ALGORITHMS);
        assertTrue(used.has("RS256", "k1"));
        assertTrue(used.has("RS256", "k100"));
        assertFalse(used.has("RS256", "k101"));
    }

    @Test
    void unknownKeysHaveThemReadAtMostTwiceInAPause() {
        for (int i = 0; i < 10; i++) {
            answers.add(now(OLD));
        }
        keys.forKey("RS256", "old").await();
        clock.forward(IssuerKeys.PAUSE);
        for (int i = 0; i < 100; i++) {
            assertFalse(keys.forKey("RS256", "guess-" + i).await().has("RS256", "guess-" + i));
        }
        assertEquals(3, reads.get());
        answers.clear();
        answers.add(now(NEW));
        clock.forward(IssuerKeys.PAUSE);
        assertTrue(keys.forKey("RS256", "new").await().has("RS256", "new"), "a rotation is noticed");
        assertEquals(4, reads.get());
    }

    @Test
    void manyTokensWithAnUnknownKeyWaitForTheSameRead() {
        answers.add(now(OLD));
        keys.forKey("RS256", "old").await();
        clock.forward(IssuerKeys.PAUSE);
        CompletableFuture<String> slow = new CompletableFuture<>();
        answers.add(() -> slow.orTimeout(20, TimeUnit.SECONDS).join());
        Future<VerifyingKeys> first = keys.forKey("RS256", "new");
        Future<VerifyingKeys> second = keys.forKey("RS256", "new");
        Eventually.that(() -> reads.get() == 2, () -> reads + " reads");
        assertFalse(first.isComplete());
        assertTrue(keys.forKey("RS256", "old").isComplete(), "a known key does not wait");
        slow.complete(NEW);
        assertTrue(first.await().has("RS256", "new"));
        assertTrue(second.await().has("RS256", "new"));
        assertEquals(2, reads.get());
    }

    @Test
    void theLastKeysSurviveAnOutageForATime() {
        answers.add(now(OLD));
        keys.forKey("RS256", "old").await();
        clock.forward(Duration.ofMinutes(59));
        assertTrue(keys.forKey("RS256", "old").await().has("RS256", "old"));
        assertFalse(keys.forKey("RS256", "new").await().has("RS256", "new"));
        clock.forward(Duration.ofMinutes(1));
        assertThrows(Exception.class, () -> keys.forKey("RS256", "old").await());
        answers.add(now(NEW));
        clock.forward(IssuerKeys.PAUSE);
        assertTrue(keys.forKey("RS256", "new").await().has("RS256", "new"), "and it recovers");
    }

    @Test
    void anIssuerThatWasNeverReachedIsAskedAgainAfterAPause() {
        for (int i = 0; i < 10; i++) {
            assertThrows(Exception.class, () -> keys.forKey("RS256", "old").await());
        }
        assertEquals(2, reads.get());
        answers.add(now(OLD));
        clock.forward(IssuerKeys.PAUSE);
        assertTrue(keys.forKey("RS256", "old").await().has("RS256", "old"));
    }

    @Test
    void aSetThatCantBeUsedLeavesTheLastOne() {
        answers.add(now(OLD));
        keys.forKey("RS256", "old").await();
        for (String bad :
                new String[] {"", "[]", "{\"keys\":[]}", "<html>", "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}"}) {
            answers.add(now(bad));
            clock.forward(IssuerKeys.PAUSE);
            int before = reads.get();
            keys.refresh();
            Eventually.that(() -> reads.get() == before + 1, () -> "it is read: " + bad);
            assertTrue(keys.forKey("RS256", "old").await().has("RS256", "old"), bad);
        }
    }

    /** The shortest refresh that the configuration allows. */
    @Test
    void aRefreshMayBeAsShortAsThePauseBetweenReads() {
        IssuerKeys quick = new IssuerKeys(
                vertx,
                "quick",
                this::read,
                new IssuerKeys.Trust(ALGORITHMS, Duration.ofSeconds(30), Duration.ofHours(1)),
                executor,
                clock);
        for (int i = 1; i <= 3; i++) {
            answers.add(now(OLD));
            assertTrue(quick.forKey("RS256", "old").await().has("RS256", "old"));
            assertEquals(i, reads.get());
            clock.forward(Duration.ofSeconds(30));
        }
    }

    @Test
    void aReadThatIsInterruptedFailsAndTheNextOneWorks() {
        IssuerKeys interrupted = keys(() -> {
            if (reads.incrementAndGet() == 1) {
                throw new InterruptedException();
            }
            return bytes(OLD);
        });
        assertThrows(Exception.class, () -> interrupted.forKey("RS256", "old").await());
        clock.forward(IssuerKeys.PAUSE);
        assertTrue(interrupted.forKey("RS256", "old").await().has("RS256", "old"));
    }

    @Test
    void aFileWorksAsWell(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("jwks.json"), OLD);
        IssuerKeys read = keys(JwksSource.file(file));
        assertTrue(read.forKey("RS256", "old").await().has("RS256", "old"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "secret keys            | {\"kty\":\"oct\",\"k\":\"AAAA\",\"kid\":\"k\"}",
                "keys for encryption    | {\"kty\":\"EC\",\"crv\":\"P-256\",\"use\":\"enc\",\"x\":\"AA\",\"y\":\"AA\",\"kid\":\"k\"}",
                "short RSA keys         | {\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\",\"kid\":\"k\"}",
                "algorithms not allowed | {\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\",\"kid\":\"k\"}",
                "other curves           | {\"kty\":\"EC\",\"crv\":\"secp256k1\",\"x\":\"AA\",\"y\":\"AA\",\"kid\":\"k\"}",
                "an algorithm that does not fit | {\"kty\":\"EC\",\"crv\":\"P-384\",\"alg\":\"ES256\",\"x\":\"AA\",\"y\":\"AA\",\"kid\":\"k\"}",
                "keys for signing only  | {\"kty\":\"EC\",\"crv\":\"P-256\",\"key_ops\":[\"sign\"],\"x\":\"AA\",\"y\":\"AA\",\"kid\":\"k\"}"
            })
    void whatCantCheckASignatureIsNoKey(String what, String key) {
        String set = OLD.replace("]}", "," + key + "]}");
        VerifyingKeys some = VerifyingKeys.of(vertx, VerifyingKeys.parse(bytes(set)), ALGORITHMS);
        assertTrue(some.has("RS256", "old"));
        for (String algorithm : new String[] {"HS256", "RS256", "ES256", "EdDSA", "none"}) {
            assertFalse(some.has(algorithm, "k"), what);
        }
    }

    @Test
    void aTokenWithoutAKeysNameIsForTheOnlyOne() {
        assertTrue(VerifyingKeys.of(vertx, VerifyingKeys.parse(bytes(OLD)), ALGORITHMS)
                .has("RS256", null));
        String both = OLD.replace("]}", "," + NEW.substring("{\"keys\":[".length()));
        assertFalse(VerifyingKeys.of(vertx, VerifyingKeys.parse(bytes(both)), ALGORITHMS)
                .has("RS256", null));
    }

    private static Supplier<String> now(String text) {
        return () -> text;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String jwks(String kid) {
        return "{\"keys\":[" + TestIssuer.rsa(kid).toPublicJWK().toJSONString() + "]}";
    }
}
