package switchboard.federation;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.Citation;
import switchboard.call.DocumentAddress;
import switchboard.call.DocumentVersion;
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
    private static final String SCHEME = DocumentAddress.SCHEME;

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
            DocumentUri documentUri = new DocumentUri(
                    PercentEncoding.decoded(parts[0]),
                    PercentEncoding.decoded(parts[1]),
                    PercentEncoding.decoded(parts[2]));
            return documentUri.complete() ? Optional.of(documentUri) : Optional.empty();
        } catch (IllegalArgumentException e) { // a broken percent sign
            return Optional.empty();
        }
    }

    /** The document that {@code citation} names. */
    static DocumentUri of(Citation citation) {
        return new DocumentUri(citation.backend(), citation.source(), citation.document());
    }

    /** The address of this version of the document; null if the source tells none apart. */
    DocumentUri version(@Nullable DocumentVersion version) {
        return version == null ? this : new DocumentUri(backend, source, version.id());
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
        return DocumentAddress.of(backend, source, document);
    }
}
