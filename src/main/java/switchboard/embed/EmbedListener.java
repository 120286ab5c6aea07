package switchboard.embed;

/** Follows a longer embedding job, and may end it. Called on any thread; must be quick. */
public interface EmbedListener {
    /** Follows nothing, never cancels. */
    EmbedListener NONE = new EmbedListener() {};

    /** So many of the job's texts are done. */
    default void embedded(int done) {}

    /** Whether the vectors are no longer wanted; asked before each text. */
    default boolean cancelled() {
        return false;
    }
}
