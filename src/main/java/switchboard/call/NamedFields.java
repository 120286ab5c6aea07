package switchboard.call;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a source's documents that an operator has declared.
 *
 * <p>A name that begins with {@code /} is a JSON pointer.
 *
 * @param text the field of the text, or null
 * @param title the field of the title, or null
 * @param url the field of the URL, or null
 */
public record NamedFields(
        @Nullable String text,
        @Nullable String title,
        @Nullable String url) {
    /** No declared fields. */
    public static final NamedFields NONE = new NamedFields(null, null, null);

    /** The text in the declared field {@code name} of {@code document}; empty if none is declared, or it holds no text. */
    public static Optional<String> text(ObjectNode document, @Nullable String name) {
        if (name == null) {
            return Optional.empty();
        }
        JsonNode value = name.startsWith("/") ? document.at(name) : document.path(name);
        return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
    }

    /** Removes what a declared JSON pointer points to from {@code document}; does nothing for other names. */
    public static void remove(ObjectNode document, @Nullable String name) {
        if (name != null && name.startsWith("/")) {
            JsonPointer pointer = JsonPointer.compile(name);
            if (document.at(pointer.head()) instanceof ObjectNode parent) {
                parent.remove(pointer.last().getMatchingProperty());
            }
        }
    }
}
