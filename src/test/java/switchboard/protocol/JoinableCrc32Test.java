package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JoinableCrc32Test {
    private final Random random = new Random(11);

    /** The check value that catalogues of CRCs give. */
    @Test
    void theNineDigitsHaveTheKnownChecksum() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        for (int cut = 0; cut <= digits.length; cut++) {
            JoinableCrc32 joined = JoinableCrc32.of(ByteBuffer.wrap(Arrays.copyOf(digits, cut)))
                    .then(JoinableCrc32.of(ByteBuffer.wrap(Arrays.copyOfRange(digits, cut, digits.length))));
            assertEquals(0xcbf43926, joined.value());
        }
    }

    @Test
    void partsInAnyNumberAndOfAnyLengthHaveTheChecksumOfTheWhole() {
        for (int round = 0; round < 200; round++) {
            byte[] whole = new byte[random.nextInt(round * round + 1)];
            random.nextBytes(whole);
            JoinableCrc32 joined = JoinableCrc32.of(ByteBuffer.wrap(new byte[0]));
            for (int from = 0; from < whole.length; ) {
                int to = from + random.nextInt(whole.length - from + 1);
                joined = joined.then(JoinableCrc32.of(ByteBuffer.wrap(Arrays.copyOfRange(whole, from, to))));
                from = to;
            }
            assertEquals(JoinableCrc32.of(ByteBuffer.wrap(whole)), joined);
        }
    }
}
