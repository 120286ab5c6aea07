package switchboard.store;

/** A document with its full text, exactly as it was stored. */
public record DocumentText(StoredDocument document, String text) {}
