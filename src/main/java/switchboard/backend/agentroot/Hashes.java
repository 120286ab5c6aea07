package switchboard.backend.agentroot;

import org.apache.commons.codec.digest.DigestUtils;

/** Short ids of documents and chunks, made from SHA-256. */
final class Hashes {
    private static final int SHORT = 6;
    private static final int CHUNK = 32;

    private Hashes() {}

    /** The short name of a document with that content hash: {@code #} and its first six digits. */
    static String docid(String contentHash) {
        return "#" + contentHash.substring(0, Math.min(SHORT, contentHash.length()));
    }

    /** The id of a chunk: of its place and its text, so that equal chunks of two documents are two. */
    static String chunk(String collection, String path, String text, int occurrence) {
        return DigestUtils.sha256Hex(collection + '\0' + path + '\0' + occurrence + '\0' + text)
                .substring(0, CHUNK);
    }
}
