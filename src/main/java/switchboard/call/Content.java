package switchboard.call;

import org.jspecify.annotations.Nullable;

/** One content block of a tool result, as MCP's {@code ContentBlock}. */
public sealed interface Content {
    /** Plain text. */
    record Text(String text) implements Content {}

    /** A picture, base64. */
    record Image(String data, String mimeType) implements Content {}

    /** Sound, base64. */
    record Audio(String data, String mimeType) implements Content {}

    /** An embedded resource with its text. */
    record TextResource(
            String uri,
            @Nullable String name,
            @Nullable String title,
            @Nullable String mimeType,
            String text) implements Content {}

    /** A pointer to a resource. */
    record Link(
            String uri,
            String name,
            @Nullable String mimeType,
            @Nullable String description) implements Content {}
}
