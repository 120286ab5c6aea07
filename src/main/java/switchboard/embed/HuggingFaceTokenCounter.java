package switchboard.embed;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.CharSpan;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import switchboard.text.SurrogatePairs;

/** Counts tokens with a Hugging Face tokenizer, without truncation or padding. */
final class HuggingFaceTokenCounter implements TokenCounter, AutoCloseable {
    /** Texts are tokenized in pieces of about this many UTF-16 units, to limit native memory. */
    private static final int PIECE = 1 << 16;

    private final HuggingFaceTokenizer tokenizer;
    private final NativeResourceGuard use = new NativeResourceGuard();

    private HuggingFaceTokenCounter(HuggingFaceTokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    /** Loads the tokenizer of {@code files}. */
    static HuggingFaceTokenCounter load(ModelFiles files) throws IOException {
        // The native library is in the jar; without this its loader may try to download another variant.
        if (System.getProperty("ai.djl.offline") == null) {
            System.setProperty("ai.djl.offline", "true");
        }
        try (InputStream in = files.tokenizerText()) {
            return new HuggingFaceTokenCounter(
                    HuggingFaceTokenizer.newInstance(in, Map.of("truncation", "false", "padding", "false")));
        } catch (RuntimeException e) { // the native library's only kind
            throw new IOException("Its tokenizer.json can't be read: " + e.getMessage(), e);
        }
    }

    /** The token ids including special tokens, cut to {@code max} including those. */
    long[] ids(String text, int max) {
        // Words beyond a hundred letters are one token, so this much text always has more tokens than any model takes,
        // short of pages of white space.
        String start = text.length() <= PIECE ? text : text.substring(0, pieceEnd(text, 0));
        return cut(use.during(() -> tokenizer.encode(start).getIds()), max);
    }

    /**
     * The tokens of two texts as one input.
     *
     * @param ids their numbers, with the special tokens that the model wants around and between the two
     * @param types to which of the two each token belongs
     */
    record PairTokens(long[] ids, long[] types) {}

    /**
     * A pair of texts, cut to {@code max} tokens including special ones: the first one keeps at most half of them, the second
     * loses its end.
     */
    PairTokens pair(String first, String second, int max) {
        int[] starts = starts(first);
        String kept = starts.length <= max / 2 ? first : first.substring(0, starts[max / 2]);
        String start = second.length() <= PIECE ? second : second.substring(0, pieceEnd(second, 0));
        Encoding encoding = use.during(() -> tokenizer.encode(kept, start));
        return new PairTokens(cut(encoding.getIds(), max), cut(encoding.getTypeIds(), max));
    }

    private static long[] cut(long[] numbers, int max) {
        if (numbers.length <= max) {
            return numbers;
        }
        long[] cut = Arrays.copyOf(numbers, max);
        cut[max - 1] = numbers[numbers.length - 1];
        return cut;
    }

    @Override
    public int[] starts(String text) {
        int[] starts = new int[Math.max(16, text.length() / 3)];
        int count = 0;
        for (int from = 0; from < text.length(); ) {
            int end = pieceEnd(text, from);
            String piece = text.substring(from, end);
            Encoding encoding = use.during(() -> tokenizer.encode(piece, false, false));
            int unit = from;
            int point = 0;
            for (CharSpan span : encoding.getCharTokenSpans()) {
                if (span == null) {
                    continue;
                }
                // Spans count code points.
                while (point < span.getStart()) {
                    unit += Character.charCount(text.codePointAt(unit));
                    point++;
                }
                if (count == starts.length) {
                    starts = Arrays.copyOf(starts, count * 2);
                }
                starts[count++] = unit;
            }
            from = end;
        }
        return Arrays.copyOf(starts, count);
    }

    /** The end of a piece that begins at {@code from}: before white space if there is any, so that no word is split. */
    private static int pieceEnd(String text, int from) {
        int end = from + PIECE;
        if (end >= text.length()) {
            return text.length();
        }
        for (int at = end; at > from + PIECE / 2; at--) {
            if (Character.isWhitespace(text.charAt(at))) {
                return at;
            }
        }
        return SurrogatePairs.before(text, end);
    }

    @Override
    public void close() {
        use.end(tokenizer::close);
    }
}
