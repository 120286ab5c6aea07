package switchboard.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A credential. In the configuration it is never written out: only {@code ${env:NAME}} and {@code ${file:PATH}} are
 * accepted. {@link #reveal} is the only way to its text, which is another one when its file has changed: whoever sends it
 * asks each time.
 */
public final class Secret {
    /** By an instant, what was in force after it; the newest first. */
    private final Function<Instant, List<String>> texts;

    private final @Nullable SecretFile file;
    private final UnaryOperator<String> form;

    private Secret(Function<Instant, List<String>> texts, @Nullable SecretFile file, UnaryOperator<String> form) {
        this.texts = texts;
        this.file = file;
        this.form = form;
    }

    /** The secret {@code text}. */
    public static Secret of(String text) {
        List<String> only = List.of(text);
        return new Secret(_ -> only, null, UnaryOperator.identity());
    }

    /** The secret that is in {@code file} as last looked at. */
    public static Secret of(SecretFile file) {
        return new Secret(file::since, file, UnaryOperator.identity());
    }

    /** This one after {@code prefix}, as in a header. */
    public Secret after(String prefix) {
        return as(prefix::concat);
    }

    /** What {@code form} makes of its text, now and when it is another one. */
    public Secret as(UnaryOperator<String> other) {
        return new Secret(texts, file, text -> other.apply(form.apply(text)));
    }

    /** The text itself; for the one place that sends it. */
    public String reveal() {
        return form.apply(texts.apply(Instant.MAX).getFirst());
    }

    /** The text and the last ones before it, which the other side may still say; the newest first. */
    public List<String> known() {
        return since(Instant.MIN);
    }

    /** The text, and the last ones before it that were in force after {@code instant}; the newest first. */
    public List<String> since(Instant instant) {
        return texts.apply(instant).stream().map(form).toList();
    }

    /** Has a file whose text is not {@code right} refused, as one that is cut. */
    void requires(Predicate<String> right) {
        if (file != null) {
            file.requires(text -> right.test(form.apply(text)));
        }
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
