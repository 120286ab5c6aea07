package switchboard.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.TestCertificate;

/** Files of secrets and of certificates, and what is taken of them when they change. */
class SecretFileTest {
    private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void name() {
        path = folder.resolve("file");
    }

    private void write(String text) throws IOException {
        // Another file each time, so that no look takes it for the one before.
        Path next = Files.writeString(Files.createTempFile(folder, "next", null), text);
        Files.move(next, path, StandardCopyOption.REPLACE_EXISTING);
    }

    private static List<SecretFile.ReadResult> looks(SecretFile file, Instant at) {
        return List.of(file.look(at), file.look(at), file.look(at));
    }

    private static final List<SecretFile.ReadResult> TAKEN =
            List.of(SecretFile.ReadResult.SAME, SecretFile.ReadResult.TAKEN, SecretFile.ReadResult.SAME);
    private static final List<SecretFile.ReadResult> REFUSED =
            List.of(SecretFile.ReadResult.SAME, SecretFile.ReadResult.REFUSED, SecretFile.ReadResult.SAME);

    @Test
    void aSecretKnowsSinceWhenItIsAnotherOne() throws IOException {
        write("one");
        Secret secret = Secret.of(new SecretFile(path, "file")).after("Bearer ");
        SecretFile file = secret.file().orElseThrow();
        write("two");
        assertEquals(TAKEN, looks(file, START));
        write("three");
        assertEquals(TAKEN, looks(file, START.plus(Duration.ofHours(1))));
        assertEquals("Bearer three", secret.reveal());
        assertEquals(List.of("Bearer three", "Bearer two", "Bearer one"), secret.known());
        assertEquals(List.of("Bearer three", "Bearer two"), secret.since(START));
        assertEquals(List.of("Bearer three"), secret.since(START.plus(Duration.ofHours(1))));
        write("one");
        assertEquals(TAKEN, looks(file, START.plus(Duration.ofHours(2))));
        assertEquals(List.of("Bearer one", "Bearer three", "Bearer two"), secret.known());
    }

    @Test
    void aFileThatIsMendedWithTheSameTextIsTakenOnce() throws IOException {
        write("0123456789");
        SecretFile file = new SecretFile(path, "file");
        write("");
        assertEquals(REFUSED, looks(file, START));
        write("0123456789");
        // The first look comes while it may still be written, and tries what was refused before.
        assertEquals(TAKEN, looks(file, START));
        assertEquals(false, file.failed());
        write("0123456789");
        assertEquals(
                List.of(SecretFile.ReadResult.SAME),
                looks(file, START).stream().distinct().toList());
    }

    @Test
    void noMoreThanTheLastFourTextsAreKnown() throws IOException {
        write("one");
        Secret secret = Secret.of(new SecretFile(path, "file"));
        for (String text : List.of("two", "three", "four", "five")) {
            write(text);
            assertEquals(TAKEN, looks(secret.file().orElseThrow(), START), text);
        }
        assertEquals(List.of("five", "four", "three", "two"), secret.known());
    }

    @Test
    void aTextOfTheLargestSizeIsTakenAndALargerOneIsNot() throws IOException {
        write("x".repeat(64 * 1024));
        assertEquals(64 * 1024, Secret.of(new SecretFile(path, "file")).reveal().length());
        write("x".repeat(64 * 1024 + 1));
        assertThrows(IllegalArgumentException.class, () -> new SecretFile(path, "file"));
    }

    @Test
    void aTextThatIsNotAsRequiredIsRefusedOnce() throws IOException {
        write("0123456789");
        Secret secret = Secret.of(new SecretFile(path, "file"));
        secret.requires(text -> text.length() >= 10);
        SecretFile file = secret.file().orElseThrow();
        for (String bad : List.of("short", "", "0123456789\nabc")) {
            write(bad);
            assertEquals(REFUSED, looks(file, START), bad);
            assertTrue(file.failed());
            write("0123456789");
            looks(file, START);
        }
        assertEquals(List.of("0123456789"), secret.known());
    }

    @Test
    void certificatesAreTakenWholeAndAnOldOneMayGo() throws IOException {
        String one = Files.readString(
                TestCertificate.make(folder, "one", "dns:localhost").certificate());
        TestCertificate other = TestCertificate.make(folder, "other", "dns:localhost");
        String two = Files.readString(other.certificate());
        write(one);
        PemFile pem = PemFile.of(path);
        assertEquals(one.strip(), pem.text());
        SecretFile file = pem.file().orElseThrow();
        String both = "# ours\n" + two + "subject=the other\n---\n" + one + "# the end\n";
        for (String bad : List.of(
                both.substring(0, both.length() - 40),
                both.substring(0, both.length() - one.length() / 2),
                two.replace("-----END CERTIFICATE-----", "-----END CERTIFICATE----"),
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                Files.readString(other.key()),
                "no certificate")) {
            write(bad);
            assertEquals(REFUSED, looks(file, START), bad);
            assertEquals(one.strip(), pem.text());
            write(one);
            looks(file, START);
        }
        write(both);
        assertEquals(TAKEN, looks(file, START));
        assertEquals(both.strip(), pem.text());
        write(two + one);
        assertEquals(TAKEN, looks(file, START));
        write(two);
        assertEquals(TAKEN, looks(file, START), "it is the beginning of the one before");
        assertEquals(two.strip(), pem.text());
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        PemFile pem = PemFile.of(path);
        String message = assertThrows(IllegalArgumentException.class, pem::text).getMessage();
        assertTrue(message.contains(path.toString()), message);
    }
}
