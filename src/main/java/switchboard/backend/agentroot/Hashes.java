package switchboard.backend.agentroot;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests, and the short names made of them. */
final class Hashes {
    private static final int SHORT = 6;
    private static final int CHUNK = 32;

    private Hashes() {}

    /** SHA-256 in lower-case hex. */
    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** SHA-256 of the UTF-8 of {@code text}. */
    static String sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The short name of a document with that content hash: {@code #} and its first six digits. */
    static String docid(String contentHash) {
        return "#" + contentHash.substring(0, Math.min(SHORT, contentHash.length()));
    }

    /** The id of a chunk: of its place and its text, so that equal chunks of two documents are two. */
    static String chunk(String collection, String path, String text, int occurrence) {
        return sha256(collection + '\0' + path + '\0' + occurrence + '\0' + text)
                .substring(0, CHUNK);
    }
}
