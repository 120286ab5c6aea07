package switchboard.call;

import switchboard.text.PercentEncoding;

/** The form of documents' addresses: {@code switchboard://<backend>/<source>/<document>}, each part percent-encoded. */
public final class DocumentAddress {
    /** What an address begins with. */
    public static final String SCHEME = "switchboard://";

    private DocumentAddress() {}

    /** The address of a document; {@code document} is its id in {@code source}. No part may be empty. */
    public static String of(String backend, String source, String document) {
        return SCHEME + PercentEncoding.of(backend) + "/" + PercentEncoding.of(source) + "/"
                + PercentEncoding.of(document);
    }
}
