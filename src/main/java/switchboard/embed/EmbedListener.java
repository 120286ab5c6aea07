package switchboard.embed;

/** Follows a long embedding job, and may cancel it. Called on any thread; must return quickly. */
public interface EmbedListener {
    /** Does nothing and never cancels. */
    EmbedListener NONE = new EmbedListener() {};

    /** {@code done} texts of the job are done. */
    default void embedded(int done) {}

    /** Whether to cancel; called before each text. */
    default boolean cancelled() {
        return false;
    }
}
