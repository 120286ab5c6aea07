package switchboard.app;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingResult;
import com.knuddels.jtokkit.api.EncodingType;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import switchboard.async.Futures;
import switchboard.auth.TokenEstimate;
import switchboard.concurrent.BlockingExecutor;
import switchboard.federation.AnswerTokenCounter;

/**
 * Tokens of OpenAI's {@code o200k_base}, counted on an executor of their own. Of a long answer the first part is counted and
 * stands for the rest; when too many answers wait, four bytes count as a token.
 */
final class AnswerTokens implements TokenEstimate, AnswerTokenCounter {
    private static final int SAMPLE_BYTES = 64 * 1024;

    private final BlockingExecutor executor;

    /** Loaded on first use: the vocabulary has two hundred thousand entries. */
    private static final class Vocabulary {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    }

    /** An estimate whose counting is done on {@code executor}. */
    AnswerTokens(BlockingExecutor executor) {
        this.executor = executor;
    }

    @Override
    public void count(String team, byte[] answer, LongConsumer then) {
        Futures.finish(
                executor.run(team, () -> false, () -> tokens(answer))
                        .otherwise(_ -> Math.ceilDiv((long) answer.length, 4)),
                then::accept,
                _ -> {});
    }

    @Override
    public int of(String text, int most) {
        // The encoder wants whole characters; a broken one becomes a question mark here.
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        EncodingResult counted = Vocabulary.ENCODING.encodeOrdinary(whole, most);
        return counted.isTruncated() ? most + 1 : counted.getTokens().size();
    }

    static long tokens(byte[] answer) {
        int sample = Math.min(answer.length, SAMPLE_BYTES);
        // A character that the end of the sample cuts becomes a replacement; one token more or less.
        String text = new String(answer, 0, sample, StandardCharsets.UTF_8);
        long counted = Vocabulary.ENCODING.countTokensOrdinary(text);
        return sample == answer.length ? counted : Math.round((double) counted * answer.length / sample);
    }
}
