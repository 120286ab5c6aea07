package switchboard.federation;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One reason why a document is seen or not.
 *
 * @param step what was looked at
 * @param text a sentence or two
 */
record SightReason(SightStep step, String text) {
    /** What is looked at, in this order. */
    enum SightStep {
        /** The team and its views. */
        @JsonProperty("team")
        TEAM,
        /** The key. */
        @JsonProperty("key")
        KEY,
        /** The claims. */
        @JsonProperty("claims")
        CLAIMS,
        /** The team's grants. */
        @JsonProperty("grants")
        GRANTS,
        /** What the team is bound to at the backend. */
        @JsonProperty("bindings")
        BINDINGS,
        /** The document. */
        @JsonProperty("document")
        DOCUMENT
    }
}
