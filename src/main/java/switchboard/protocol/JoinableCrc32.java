package switchboard.protocol;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The CRC-32 of some bytes, from which that of a longer text is computed without reading them again. A CRC is a polynomial over two
 * values, modulo that of IEEE 802.3; bytes that follow multiply it by a power of x. The highest bit of a number is the coefficient
 * of x<sup>0</sup>.
 *
 * @param value the CRC, as {@link CRC32} gives it
 * @param power x to the number of bits of the text
 */
record JoinableCrc32(int value, int power) {
    private static final int POLYNOMIAL = 0xedb88320;
    private static final int ONE = 1 << 31;
    private static final int X_TO_THE_8 = 1 << (31 - Byte.SIZE);

    /** Reads {@code bytes} once and computes their CRC; their position stays. */
    static JoinableCrc32 of(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.duplicate());
        return new JoinableCrc32((int) crc.getValue(), power(bytes.remaining()));
    }

    /** The CRC of these bytes with {@code following} ones after them. Takes about a microsecond, however many they are. */
    JoinableCrc32 then(JoinableCrc32 following) {
        return new JoinableCrc32(product(following.power, value) ^ following.value, product(power, following.power));
    }

    /** x to the number of bits of {@code bytes} bytes. */
    private static int power(int bytes) {
        int power = ONE;
        int square = X_TO_THE_8;
        for (int left = bytes; left > 0; left >>>= 1) {
            if ((left & 1) == 1) {
                power = product(square, power);
            }
            square = product(square, square);
        }
        return power;
    }

    private static int product(int one, int other) {
        int product = 0;
        int shifted = other;
        for (int left = one; left != 0; left <<= 1) {
            if (left < 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) == 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
        }
        return product;
    }
}
