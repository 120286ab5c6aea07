package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.ContentBlock;
import switchboard.call.Json;
import switchboard.store.StoredDocument;

/** Formats a document for agents. */
final class DocumentView {
    private DocumentView() {}

    /** Adds to {@code one} how a document is named, and its title. */
    static ObjectNode name(ObjectNode one, StoredDocument document) {
        return one.put("docid", Hashes.docid(document.contentHash()))
                .put("file", DocumentAddresses.file(document))
                .put("title", document.title());
    }

    /** Its names, title and media type, and who may read it if not everyone may who sees the collection. */
    static ObjectNode facts(StoredDocument document) {
        ObjectNode facts = name(Json.object(), document)
                .put("uri", DocumentAddresses.uri(document))
                .put("mimeType", mimeType(document));
        Object allow = document.allow().shown();
        if (allow != null) {
            facts.set("allow", Json.mapper().valueToTree(allow));
        }
        return facts;
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
