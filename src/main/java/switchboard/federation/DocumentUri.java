package switchboard.federation;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import switchboard.text.PercentEncoding;

/**
 * The address of a document for later reading: {@code switchboard://<backend>/<source>/<document>}, each part
 * percent-encoded.
 *
 * @param backend the backend's id
 * @param source the library, collection, index or table
 * @param document the document's id there
 */
record DocumentUri(String backend, String source, String document) implements Comparable<DocumentUri> {
    private static final String SCHEME = "switchboard://";

    /** Parses an address; empty if it is not one. */
    static Optional<DocumentUri> parse(String text) {
        if (!text.startsWith(SCHEME)) {
            return Optional.empty();
        }
        String[] parts = text.substring(SCHEME.length()).split("/", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            DocumentUri documentUri = new DocumentUri(decoded(parts[0]), decoded(parts[1]), decoded(parts[2]));
            return documentUri.complete() ? Optional.of(documentUri) : Optional.empty();
        } catch (IllegalArgumentException e) { // a broken percent sign
            return Optional.empty();
        }
    }

    /** Its source, as the arguments of tools name it: {@code <backend>:<source>}. */
    String label() {
        return backend + ":" + source;
    }

    private boolean complete() {
        return !backend.isEmpty() && !source.isEmpty() && !document.isEmpty();
    }

    @Override
    public int compareTo(DocumentUri other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return SCHEME + PercentEncoding.of(backend) + "/" + PercentEncoding.of(source) + "/"
                + PercentEncoding.of(document);
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
