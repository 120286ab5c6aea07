package switchboard.bench;

import java.util.Map;
import java.util.Optional;

/** A server that is measured. */
interface Contender extends AutoCloseable {
    String name();

    Server server();

    /** Sent with every request. */
    default Map<String, String> credential() {
        return Map.of();
    }

    /** Whether it speaks MCP 2026-07-28, too. */
    default boolean modern() {
        return false;
    }

    /** How {@code work} is asked for; empty if the server does no such thing. */
    Optional<Question> question(Work work);

    @Override
    default void close() throws Exception {
        server().close();
    }
}
