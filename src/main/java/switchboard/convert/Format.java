package switchboard.convert;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The supported formats. */
enum Format {
    MARKDOWN("md markdown", "text/markdown text/x-markdown text/x-web-markdown"),
    TEXT("txt", "text/plain"),
    HTML("html htm", "text/html application/xhtml+xml"),
    CSV("csv", "text/csv"),
    JSON("json", "application/json text/json"),
    XML("xml", "application/xml text/xml"),
    /** Source code and what is written like it; read as the text that it is. */
    SOURCE(
            SourceGrammar.allExtensions()
                    + " kt kts scala groovy gradle cs swift rb php pl lua r dart sh bash ps1 sql graphql proto css scss vue"
                    + " yaml yml toml ini properties",
            "text/x-java-source text/x-java text/x-python text/javascript application/javascript text/x-go text/x-rust"
                    + " text/x-c text/x-csrc text/x-chdr text/x-c++src text/x-c++hdr text/x-sql application/sql"
                    + " application/x-sh text/css text/x-yaml text/yaml application/yaml application/toml"),
    PDF("pdf", "application/pdf"),
    OFFICE(
            "docx doc pptx ppt xlsx xls",
            "application/msword application/vnd.ms-excel application/vnd.ms-powerpoint"
                    + " application/vnd.openxmlformats-officedocument.wordprocessingml.document"
                    + " application/vnd.openxmlformats-officedocument.presentationml.presentation"
                    + " application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
                    + " application/rtf application/x-tika-msoffice application/x-tika-ooxml"
                    + " application/x-tika-ooxml-protected"),
    ZIP("zip", "application/zip application/x-zip-compressed"),
    IMAGE("jpg jpeg png gif bmp webp", "image/jpeg image/png image/gif image/bmp image/webp"),
    AUDIO(
            "mp3 wav ogg m4a",
            "audio/mpeg audio/vnd.wave audio/x-wav audio/wav audio/vorbis audio/ogg audio/mp4 audio/x-m4a");

    private static final List<String> VAGUE =
            List.of("", "text/plain", "application/octet-stream", "binary/octet-stream");

    private final String extensions;
    private final String mediaTypes;

    /** Both arguments are lists separated by spaces. */
    Format(String extensions, String mediaTypes) {
        this.extensions = extensions;
        this.mediaTypes = mediaTypes;
    }

    /** Whether documents of this format are readable as text. */
    boolean textual() {
        return switch (this) {
            case MARKDOWN, TEXT, HTML, CSV, JSON, XML, SOURCE -> true;
            case PDF, OFFICE, ZIP, IMAGE, AUDIO -> false;
        };
    }

    /** The declared format of {@code rawDocument}: by its content type if that is specific, else by its extension. */
    static Optional<Format> declared(RawDocument rawDocument) {
        String type = rawDocument.mediaType();
        // A server that does not know calls everything text or octets: then the extension knows better.
        return VAGUE.contains(type)
                ? byExtension(rawDocument.extension()).or(() -> byMediaType(type))
                : byMediaType(type);
    }

    /** Whether {@code rawDocument} declares no format. */
    static boolean undeclared(RawDocument rawDocument) {
        return VAGUE.contains(rawDocument.mediaType())
                && !rawDocument.mediaType().isEmpty()
                && rawDocument.extension().isEmpty();
    }

    /** The format of a media type. */
    static Optional<Format> byMediaType(String type) {
        if (type.endsWith("+json")) {
            return Optional.of(JSON);
        }
        Optional<Format> exact = Arrays.stream(values())
                .filter(format -> List.of(format.mediaTypes.split(" ")).contains(type))
                .findFirst();
        return exact.isEmpty() && type.endsWith("+xml") ? Optional.of(XML) : exact;
    }

    /** The format of files with that extension, in lower case. */
    static Optional<Format> byExtension(String extension) {
        return Arrays.stream(values())
                .filter(format -> format.extensions().contains(extension))
                .findFirst();
    }

    private List<String> extensions() {
        return List.of(extensions.split(" "));
    }

    /** The failure for any other format; {@code what} names it. */
    static ConvertException unsupported(String what) {
        return new ConvertException(
                ConvertException.Reason.UNSUPPORTED,
                "Unsupported format: " + what + ". Supported are "
                        + Arrays.stream(values())
                                .flatMap(known -> known.extensions().stream())
                                .collect(Collectors.joining(", "))
                        + ".");
    }
}
