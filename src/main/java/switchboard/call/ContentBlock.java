package switchboard.call;

import org.jspecify.annotations.Nullable;

/** One content block of a tool result, as MCP's {@code ContentBlock}. */
public sealed interface ContentBlock {
    /** Plain text. */
    record TextBlock(String text) implements ContentBlock {}

    /** A picture, base64. */
    record ImageBlock(String data, String mimeType) implements ContentBlock {}

    /** Sound, base64. */
    record AudioBlock(String data, String mimeType) implements ContentBlock {}

    /** An embedded resource with its text. */
    record EmbeddedResource(
            String uri,
            @Nullable String name,
            @Nullable String title,
            @Nullable String mimeType,
            String text) implements ContentBlock {}

    /** A link to a resource. */
    record ResourceLink(
            String uri,
            String name,
            @Nullable String mimeType,
            @Nullable String description) implements ContentBlock {}
}
