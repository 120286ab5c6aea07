package switchboard.store;

import java.util.List;

/**
 * A page of a listing.
 *
 * @param documents the page
 * @param total how many documents the whole listing has
 */
public record DocumentPage(List<StoredDocument> documents, long total) {
    public DocumentPage {
        documents = List.copyOf(documents);
    }
}
