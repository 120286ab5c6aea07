package switchboard.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A credential. In the configuration it is never written out: only {@code ${env:NAME}} and {@code ${file:PATH}} are
 * accepted. {@link #reveal} is the only way to its text, which is another one when its file has changed: whoever sends it
 * asks each time.
 */
public final class Secret {
    private final Supplier<List<String>> texts;
    private final @Nullable SecretFile file;

    private Secret(Supplier<List<String>> texts, @Nullable SecretFile file) {
        this.texts = texts;
        this.file = file;
    }

    /** The secret {@code text}. */
    public static Secret of(String text) {
        List<String> only = List.of(text);
        return new Secret(() -> only, null);
    }

    /** The secret that is in {@code file} as last looked at. */
    public static Secret of(SecretFile file) {
        return new Secret(file::known, file);
    }

    /** This one after {@code prefix}, as in a header. */
    public Secret after(String prefix) {
        return as(prefix::concat);
    }

    /** What {@code form} makes of its text, now and when it is another one. */
    public Secret as(UnaryOperator<String> form) {
        return new Secret(() -> texts.get().stream().map(form).toList(), file);
    }

    /** The text itself; for the one place that sends it. */
    public String reveal() {
        return texts.get().getFirst();
    }

    /** The text and the last ones before it, which the other side may still say; the newest first. */
    public List<String> known() {
        return texts.get();
    }

    /** The file that says it, if one does. */
    public Optional<SecretFile> file() {
        return Optional.ofNullable(file);
    }

    /** Compares in constant time. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that
                && MessageDigest.isEqual(
                        reveal().getBytes(StandardCharsets.UTF_8), that.reveal().getBytes(StandardCharsets.UTF_8));
    }

    /** The same for all: a text may change. */
    @Override
    public int hashCode() {
        return Secret.class.hashCode();
    }

    /** Never the text. */
    @Override
    public String toString() {
        return "******";
    }
}
