package switchboard.config;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A PEM file with certificates or a key for outgoing connections. It is read on first use and reloaded when it
 * changes, like files of secrets, so callers must get the text for each connection. Thread-safe.
 */
public final class PemFile {
    private static final long MOST_BYTES = 4 << 20;
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]++)-----[^-]*+-----END \\1-----");

    private final Path path;
    private @Nullable SecretFile file;

    private PemFile(Path path) {
        this.path = path;
    }

    /** The file at {@code path}. It is not read yet. */
    public static PemFile of(Path path) {
        return new PemFile(path);
    }

    /**
     * The current text.
     *
     * @throws IllegalArgumentException with a message for the operator, if the file can't be used the first time
     */
    public String text() {
        return opened().text();
    }

    private synchronized SecretFile opened() {
        SecretFile known = file;
        if (known == null) {
            known = new SecretFile(path, path.toString(), MOST_BYTES, PemFile::whole);
            file = known;
        }
        return known;
    }

    /** The watched file; empty if it can't be read, which {@link #text} reports. */
    Optional<SecretFile> file() {
        try {
            return Optional.of(opened());
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /**
     * Whether {@code found} is complete and of the same kind as {@code before}. It may be the beginning of {@code
     * before}, because removing an old certificate from the end of a file is normal.
     */
    private static boolean whole(String before, String found) {
        Predicate<String> ofTheKind = kinds(before)::contains;
        String outside = BLOCK.matcher(found).replaceAll("");
        return !outside.contains("-----BEGIN ")
                && !outside.contains("-----END ")
                && kinds(found).stream().anyMatch(ofTheKind)
                && certificates(found);
    }

    private static Set<String> kinds(String text) {
        return BLOCK.matcher(text).results().map(PemFile::kind).collect(Collectors.toUnmodifiableSet());
    }

    /** The kind of a PEM block. The different names of private keys count as one kind. */
    private static String kind(MatchResult block) {
        return block.group(1).endsWith("PRIVATE KEY") ? "PRIVATE KEY" : block.group(1);
    }

    private static boolean certificates(String text) {
        if (!text.contains("-----BEGIN CERTIFICATE-----")) {
            return true;
        }
        try {
            return !CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .isEmpty();
        } catch (CertificateException _) {
            return false;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PemFile that && path.equals(that.path);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
