package switchboard.convert;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A document before conversion.
 *
 * @param bytes all of it; must not be changed
 * @param name its file name, or the path of its URL; the extension names the format
 * @param contentType the server's {@code Content-Type} ({@code text/html; charset=...}), or null for a file
 */
public record RawDocument(
        byte[] bytes, String name, @Nullable String contentType) {
    /** The extension of {@link #name} in lower case without the dot, {@code ""} if there is none. */
    public String extension() {
        return extension(name);
    }

    /** The same with {@code text} as its content. */
    public RawDocument withText(String text) {
        return new RawDocument(
                text.getBytes(StandardCharsets.UTF_8),
                name,
                contentType == null ? null : mediaType() + "; charset=utf-8");
    }

    static String extension(String name) {
        String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        int dot = last.lastIndexOf('.');
        return dot <= 0 ? "" : last.substring(dot + 1).toLowerCase(Locale.ROOT);
    }

    /** The media type without parameters in lower case, {@code ""} if unknown. */
    String mediaType() {
        return contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
