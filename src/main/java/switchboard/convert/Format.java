package switchboard.convert;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The formats that are read. */
enum Format {
    MARKDOWN("md markdown", "text/markdown text/x-markdown"),
    TEXT("txt", "text/plain"),
    HTML("html htm", "text/html application/xhtml+xml"),
    CSV("csv", "text/csv"),
    JSON("json", "application/json text/json"),
    XML("xml", "application/xml text/xml");

    private final String extensions;
    private final String mediaTypes;

    /** Both are lists with spaces. */
    Format(String extensions, String mediaTypes) {
        this.extensions = extensions;
        this.mediaTypes = mediaTypes;
    }

    private List<String> extensions() {
        return List.of(extensions.split(" "));
    }

    /** The format of {@code source}: by its content type if that says something, else by its extension. */
    static Format of(Source source) throws ConvertException {
        String type = source.mediaType();
        // A server that does not know calls everything text or octets: then the extension knows better.
        boolean vague = type.isEmpty() || type.equals("text/plain") || type.equals("application/octet-stream");
        Optional<Format> byType = byMediaType(type);
        Optional<Format> byExtension = byExtension(source.extension());
        Optional<Format> format = vague ? byExtension.or(() -> byType) : byType;
        return format.orElseThrow(() -> new ConvertException(
                ConvertException.Reason.UNSUPPORTED,
                "Unsupported format: " + named(source) + ". Supported are "
                        + Arrays.stream(values())
                                .flatMap(known -> known.extensions().stream())
                                .collect(Collectors.joining(", "))
                        + "."));
    }

    private static Optional<Format> byExtension(String extension) {
        return Arrays.stream(values())
                .filter(format -> format.extensions().contains(extension))
                .findFirst();
    }

    private static Optional<Format> byMediaType(String type) {
        if (type.endsWith("+json")) {
            return Optional.of(JSON);
        }
        Optional<Format> exact = Arrays.stream(values())
                .filter(format -> List.of(format.mediaTypes.split(" ")).contains(type))
                .findFirst();
        return exact.isEmpty() && type.endsWith("+xml") ? Optional.of(XML) : exact;
    }

    private static String named(Source source) {
        if (!source.mediaType().isEmpty()) {
            return source.mediaType();
        }
        return source.extension().isEmpty()
                ? "a file without an extension"
                : source.extension().toLowerCase(Locale.ROOT);
    }
}
