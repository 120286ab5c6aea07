package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.ContentBlock;
import switchboard.call.Json;
import switchboard.store.StoredDocument;

/** A document as agents see it. */
final class DocumentView {
    private DocumentView() {}

    /** What it is called and where it is. */
    static ObjectNode facts(StoredDocument document) {
        return Json.object()
                .put("docid", Hashes.docid(document.contentHash()))
                .put("file", DocumentAddresses.file(document))
                .put("title", document.title())
                .put("uri", DocumentAddresses.uri(document))
                .put("mimeType", mimeType(document));
    }

    /** Its text, or a part of it, as a resource. */
    static ContentBlock resource(StoredDocument document, String text) {
        return new ContentBlock.EmbeddedResource(
                DocumentAddresses.uri(document),
                DocumentAddresses.file(document),
                document.title(),
                mimeType(document),
                text);
    }

    /** Its media type. */
    static String mimeType(StoredDocument document) {
        return document.fileType().equals("md") ? "text/markdown" : "text/plain";
    }
}
