package switchboard.console;

/** A call as the console shows it. */
public interface WatchedCall {
    /** Whose it is, {@code ""} in a gateway without teams. */
    String team();

    /** The backend that was called; empty if there is no such tool. */
    String backend();

    /**
     * What is shown of it.
     *
     * @param gateway the name of the gateway that asks, {@code ""} if it is by itself; a call of another one has that one's name
     */
    byte[] json(String gateway);
}
