package switchboard.insight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.apache.commons.codec.digest.HmacAlgorithms;
import org.apache.commons.codec.digest.HmacUtils;
import switchboard.files.PrivateFiles;

/**
 * Hashes of queries (HMAC-SHA-256, the first 128 bits, hexadecimal) with a random key of this data folder, or
 * of the database that gateways share: without it nobody
 * finds out by trying what was asked.
 *
 * @param mac with the key
 */
record QueryHashes(HmacUtils mac) {
    private static final int KEY_BYTES = 32;
    private static final int HEX_DIGITS = 32;

    /** A new key. */
    static byte[] made() {
        byte[] made = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(made);
        return made;
    }

    /** Hashes with {@code key}: HMAC-SHA256. */
    static QueryHashes with(byte[] key) {
        return new QueryHashes(new HmacUtils(HmacAlgorithms.HMAC_SHA_256, key));
    }

    /** With the key in {@code file}, which is made if it does not exist. Its callers exclude each other. Blocks. */
    static QueryHashes in(Path file) throws IOException {
        if (!Files.exists(file)) {
            PrivateFiles.replaceDurably(file, made());
        }
        byte[] key = Files.readAllBytes(file);
        if (key.length != KEY_BYTES) {
            throw new IOException(file + " is not a key of " + KEY_BYTES
                    + " bytes. Remove it: a new one is made, and older hashes of queries no longer equal new ones.");
        }
        return with(key);
    }

    String of(String query) {
        return mac.hmacHex(query).substring(0, HEX_DIGITS);
    }
}
