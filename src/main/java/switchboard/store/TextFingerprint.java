package switchboard.store;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.lucene.util.BytesRef;

/** Recognises chunks with the same text: equal apart from white space and the form of accents, under the same headings. */
final class TextFingerprint {
    private static final int BYTES = 16;
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Z}]+");

    private TextFingerprint() {}

    /** Equal for chunks with the same text. */
    static BytesRef of(String headings, String text) {
        byte[] bytes = (plain(headings) + '\n' + plain(text)).getBytes(StandardCharsets.UTF_8);
        return new BytesRef(Arrays.copyOf(DigestUtils.sha256(bytes), BYTES));
    }

    private static String plain(String text) {
        return SPACE.matcher(Normalizer.normalize(text, Normalizer.Form.NFC))
                .replaceAll(" ")
                .strip();
    }
}
