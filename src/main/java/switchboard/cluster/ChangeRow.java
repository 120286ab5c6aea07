package switchboard.cluster;

/**
 * A change of a library.
 *
 * @param head its place, id and time
 * @param key the SHA-256 of the source of its document
 * @param source the source of its document, UTF-8
 * @param size how large the document is now, in bytes; 0 if it is gone
 */
public record ChangeRow(LibraryRow.Head head, byte[] key, byte[] source, int size) {}
