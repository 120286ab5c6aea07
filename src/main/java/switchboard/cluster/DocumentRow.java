package switchboard.cluster;

/**
 * A document in the shared database.
 *
 * @param key the SHA-256 of its source
 * @param id its id
 * @param restricted whether not everyone may read it
 * @param body its content
 */
public record DocumentRow(byte[] key, String id, boolean restricted, Body body) {
    /**
     * The content of a document, which the database does not read.
     *
     * @param facts what is known of it
     * @param text its text
     * @param chunks its chunks
     * @param vectors the vectors of its chunks
     */
    public record Body(byte[] facts, byte[] text, byte[] chunks, byte[] vectors) {
        int size() {
            return facts.length + text.length + chunks.length + vectors.length;
        }
    }
}
