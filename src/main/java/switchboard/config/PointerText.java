package switchboard.config;

import com.fasterxml.jackson.core.JsonPointer;
import org.jspecify.annotations.Nullable;

/** Checks texts of the configuration that are JSON pointers (RFC 6901). */
public final class PointerText {
    private PointerText() {}

    /**
     * Checks the value of {@code key}, null for none.
     *
     * @throws IllegalArgumentException with a message for the operator, if it is no JSON pointer
     */
    public static void check(String key, @Nullable String pointer) {
        if (pointer != null) {
            try {
                JsonPointer.compile(pointer);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        key + " must be a JSON pointer (RFC 6901), such as /results: " + e.getMessage(), e);
            }
        }
    }
}
