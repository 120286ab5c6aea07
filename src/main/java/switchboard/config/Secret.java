package switchboard.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A credential. In the configuration it is only accepted as {@code ${env:NAME}} or {@code ${file:PATH}}. The text can
 * only be read with {@link #reveal}. It changes when the file changes, so callers must read it for each use.
 */
public final class Secret {
    /** The texts that were in use after an instant, the newest first. */
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

    /** The secret in {@code file}, as last read. */
    public static Secret of(SecretFile file) {
        return new Secret(file::since, file, UnaryOperator.identity());
    }

    /** The header {@code Authorization} with {@code key} as a bearer token (RFC 6750); no header without a key. */
    public static Map<String, Secret> bearer(@Nullable Secret key) {
        return key == null ? Map.of() : Map.of("Authorization", key.after("Bearer "));
    }

    /** This secret with {@code prefix} before it, as in a header. */
    public Secret after(String prefix) {
        return as(prefix::concat);
    }

    /** The secret whose text is derived with {@code other} from this one's, also after a change. */
    public Secret as(UnaryOperator<String> other) {
        return new Secret(texts, file, text -> other.apply(form.apply(text)));
    }

    /** The text itself. Only the code that sends it should call this. */
    public String reveal() {
        return form.apply(texts.apply(Instant.MAX).getFirst());
    }

    /** The current and the last previous texts, the newest first. The other side may still use the previous ones. */
    public List<String> known() {
        return since(Instant.MIN);
    }

    /** The current text, and those previous ones that were in use after {@code instant}; the newest first. */
    public List<String> since(Instant instant) {
        return texts.apply(instant).stream().map(form).toList();
    }

    /** Rejects a changed file if its text does not match {@code right}. */
    void requires(Predicate<String> right) {
        if (file != null) {
            file.requires(text -> right.test(form.apply(text)));
        }
    }

    /** The file of the secret; empty if it does not come from a file. */
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

    /** The same for all secrets, because a text may change. */
    @Override
    public int hashCode() {
        return Secret.class.hashCode();
    }

    /** Does not contain the text. */
    @Override
    public String toString() {
        return "******";
    }
}
