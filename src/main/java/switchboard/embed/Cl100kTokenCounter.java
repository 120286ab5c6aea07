package switchboard.embed;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import switchboard.text.SurrogatePairs;

/**
 * Counts tokens of OpenAI's {@code cl100k_base}: exact for its embedding models, and a good estimate for models whose
 * vocabulary is not public.
 */
final class Cl100kTokenCounter implements TokenCounter {
    /** Loaded on first use, because the vocabulary has a hundred thousand entries. */
    private static final class Vocabulary {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
    }

    @Override
    public int[] starts(String original) {
        String text = SurrogatePairs.replaceLone(original);
        IntArrayList tokens = Vocabulary.ENCODING.encodeOrdinary(text);
        int[] starts = new int[tokens.size()];
        int bytes = 0;
        int at = 0;
        int bytesAt = 0;
        for (int i = 0; i < starts.length; i++) {
            while (at < text.length() && bytesAt + utf8Length(text.codePointAt(at)) <= bytes) {
                int codePoint = text.codePointAt(at);
                bytesAt += utf8Length(codePoint);
                at += Character.charCount(codePoint);
            }
            starts[i] = at;
            IntArrayList one = new IntArrayList(1);
            one.add(tokens.get(i));
            bytes += Vocabulary.ENCODING.decodeBytes(one).length;
        }
        return starts;
    }

    @Override
    public int count(String text) {
        return Vocabulary.ENCODING.countTokensOrdinary(SurrogatePairs.replaceLone(text));
    }

    private static int utf8Length(int codePoint) {
        return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }
}
