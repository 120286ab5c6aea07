package switchboard.convert;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes bytes: by byte order mark, then the server's charset, then UTF-8 if valid, then UTF-16 by its zero bytes,
 * then Windows-1252, which accepts every byte.
 */
final class TextDecoder {
    private static final Pattern CHARSET =
            Pattern.compile("charset\\s*=\\s*[\"']?([^\\s;\"']+)", Pattern.CASE_INSENSITIVE);
    private static final Charset FALLBACK = Charset.forName("windows-1252");
    private static final int SAMPLE = 4096;

    private TextDecoder() {}

    /**
     * The text with {@code \n} as line end.
     *
     * @throws ConvertException if the bytes are not text
     */
    static String decode(byte[] bytes, @Nullable String contentType) throws ConvertException {
        return decodeAs(bytes, charsetOf(bytes, contentType));
    }

    /** The text that any bytes are, in the charset that they seem to have. */
    static String any(byte[] bytes) {
        return lines(new String(bytes, charsetOf(bytes, null)));
    }

    /** Whether the bytes are text. */
    static boolean readable(RawDocument rawDocument) {
        try {
            return !decode(rawDocument.bytes(), rawDocument.contentType()).isEmpty();
        } catch (ConvertException _) {
            return false;
        }
    }

    /** The same with a known charset. */
    static String decodeAs(byte[] bytes, Charset charset) throws ConvertException {
        String text = new String(bytes, charset);
        if (!text.isEmpty() && text.charAt(0) == '\uFEFF') {
            text = text.substring(1);
        }
        if (binary(text)) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE,
                    "the content is binary, not text: its name or type does not name its format");
        }
        return lines(text);
    }

    /** {@code text} with {@code \n} as line end. */
    static String lines(String text) {
        return text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n');
    }

    /** The charset in a {@code Content-Type}, if this JDK supports it. */
    static Optional<Charset> declared(@Nullable String contentType) {
        Matcher matcher = CHARSET.matcher(contentType == null ? "" : contentType);
        try {
            return matcher.find() ? Optional.of(Charset.forName(matcher.group(1))) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** Whether {@code bytes} are valid in {@code charset}. */
    static boolean valid(byte[] bytes, Charset charset) {
        try {
            var unused = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    private static Charset charsetOf(byte[] bytes, @Nullable String contentType) {
        Optional<Charset> marked = marked(bytes);
        if (marked.isPresent()) {
            return marked.get();
        }
        Optional<Charset> declared = declared(contentType).filter(charset -> valid(bytes, charset));
        if (declared.isPresent()) {
            return declared.get();
        }
        // UTF-16 of plain text is often valid UTF-8 full of NUL, so it is looked for first.
        return sixteenBit(bytes)
                .orElseGet(() -> valid(bytes, StandardCharsets.UTF_8) ? StandardCharsets.UTF_8 : FALLBACK);
    }

    private static Optional<Charset> marked(byte[] bytes) {
        if (bytes.length >= 2 && (bytes[0] & 0xFF) == 0xFE && (bytes[1] & 0xFF) == 0xFF) {
            return Optional.of(StandardCharsets.UTF_16BE);
        }
        if (bytes.length >= 2 && (bytes[0] & 0xFF) == 0xFF && (bytes[1] & 0xFF) == 0xFE) {
            return Optional.of(StandardCharsets.UTF_16LE);
        }
        boolean utf8 = bytes.length >= 3
                && (bytes[0] & 0xFF) == 0xEF
                && (bytes[1] & 0xFF) == 0xBB
                && (bytes[2] & 0xFF) == 0xBF;
        return utf8 ? Optional.of(StandardCharsets.UTF_8) : Optional.empty();
    }

    private static Optional<Charset> sixteenBit(byte[] bytes) {
        int sample = Math.min(bytes.length, SAMPLE) & ~1;
        int evenZeros = 0;
        int oddZeros = 0;
        for (int i = 0; i < sample; i += 2) {
            evenZeros += bytes[i] == 0 ? 1 : 0;
            oddZeros += bytes[i + 1] == 0 ? 1 : 0;
        }
        int many = sample / 2 * 2 / 5;
        if (sample >= 4 && oddZeros > many && evenZeros == 0) {
            return Optional.of(StandardCharsets.UTF_16LE);
        }
        return sample >= 4 && evenZeros > many && oddZeros == 0
                ? Optional.of(StandardCharsets.UTF_16BE)
                : Optional.empty();
    }

    private static boolean binary(String text) {
        int odd = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return true;
            }
            odd += c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1B ? 1 : 0;
        }
        return odd > text.length() / 50;
    }
}
