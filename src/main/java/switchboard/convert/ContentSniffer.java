package switchboard.convert;

import java.io.IOException;
import java.util.Optional;
import org.apache.tika.detect.DefaultDetector;
import org.apache.tika.detect.Detector;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.Metadata;
import org.jspecify.annotations.Nullable;

/** Detects the format of documents by their content, whatever their name is. */
final class ContentSniffer {
    private @Nullable Detector detector;

    /** The format to read the document as. */
    Format formatOf(RawDocument rawDocument) throws ConvertException {
        Optional<Format> declared = Format.declared(rawDocument);
        if (declared.isEmpty() && !Format.undeclared(rawDocument)) {
            throw Format.unsupported(named(rawDocument));
        }
        String type = detected(rawDocument.bytes());
        Optional<Format> actual = Format.byMediaType(type);
        if (actual.isPresent() && !actual.get().textual() && !onlyLooksLike(actual.get(), declared, rawDocument)) {
            // Office documents are archives; one that is not recognised any more is damaged, not an archive to read.
            boolean damaged = actual.get() == Format.ZIP && declared.equals(Optional.of(Format.OFFICE));
            return damaged ? Format.OFFICE : actual.get();
        }
        Format wanted = declared.or(() -> actual).orElseThrow(() -> Format.unsupported(type));
        boolean unknown = type.equals("application/octet-stream");
        boolean text = actual.isPresent() || type.startsWith("text/") || type.endsWith("xml") || type.endsWith("json");
        if (wanted.textual() && !text && !unknown && !TextDecoder.readable(rawDocument)) {
            throw Format.unsupported(type + " (named " + named(rawDocument) + ")");
        }
        if (!wanted.textual() && text) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE,
                    "its name or type is " + named(rawDocument) + ", but its content is " + type);
        }
        return wanted;
    }

    /**
     * Whether the detected format is only a coincidence: a text may begin with the letters that mark a picture or a
     * recording.
     */
    private static boolean onlyLooksLike(Format format, Optional<Format> declared, RawDocument rawDocument) {
        boolean media = format == Format.IMAGE || format == Format.AUDIO;
        return media && declared.filter(Format::textual).isPresent() && TextDecoder.readable(rawDocument);
    }

    private String detected(byte[] bytes) {
        try (TikaInputStream in = TikaInputStream.get(bytes)) {
            return detector().detect(in, new Metadata()).getBaseType().toString();
        } catch (IOException e) {
            TemporaryFileCheck.check(e);
            return "application/octet-stream";
        }
    }

    /** Created on first use, because it reads a large table of types. */
    private synchronized Detector detector() {
        Detector known = detector;
        if (known == null) {
            known = new DefaultDetector();
            detector = known;
        }
        return known;
    }

    private static String named(RawDocument rawDocument) {
        if (!rawDocument.mediaType().isEmpty()) {
            return rawDocument.mediaType();
        }
        return rawDocument.extension().isEmpty() ? "a file without an extension" : rawDocument.extension();
    }
}
