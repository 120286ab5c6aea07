package switchboard.call;

import java.util.Locale;

/** What a tool does to the world. Grants name verbs; a tool needs every verb that its descriptor lists. */
public enum Verb {
    /** Reads things that the caller could name. */
    READ,
    /** Ranks things for a query. */
    SEARCH,
    /** Makes something new. */
    CREATE,
    /** Changes something that exists. */
    UPDATE,
    /** Removes something. */
    DELETE,
    /** Shows operational data: logs, activity of others. */
    ADMIN,
    /** Reads files of the host. */
    FILES,
    /** Opens outbound network connections on the caller's behalf. */
    FETCH,
    /** Spends embedding work. */
    EMBED,
    /** Spends language-model work. */
    LLM;

    /** The word used in descriptors, grants and metrics: the name in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a tool with this verb leaves the world as it was. */
    public boolean readOnly() {
        return switch (this) {
            case READ, SEARCH, ADMIN, FILES, FETCH, EMBED, LLM -> true;
            case CREATE, UPDATE, DELETE -> false;
        };
    }
}
