package switchboard.call;

import java.util.Locale;

/** A kind of access that a tool needs. Grants name verbs; a tool needs all verbs in its descriptor. */
public enum Verb {
    /** Reads things by name. */
    READ,
    /** Ranks things for a query. */
    SEARCH,
    /** Creates something. */
    CREATE,
    /** Changes something that exists. */
    UPDATE,
    /** Removes something. */
    DELETE,
    /** Shows operational data: logs, other users' activity. */
    ADMIN,
    /** Reads files of the host. */
    FILES,
    /** Opens outgoing network connections for the caller. */
    FETCH,
    /** Uses an embedding model. */
    EMBED,
    /** Uses a language model. */
    LLM;

    /** The word used in descriptors, grants and metrics: the name in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a tool with this verb changes nothing. */
    public boolean readOnly() {
        return switch (this) {
            case READ, SEARCH, ADMIN, FILES, FETCH, EMBED, LLM -> true;
            case CREATE, UPDATE, DELETE -> false;
        };
    }
}
