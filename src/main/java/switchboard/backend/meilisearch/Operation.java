package switchboard.backend.meilisearch;

import java.util.Optional;

/**
 * What is asked of the engine, for messages.
 *
 * @param action the action a key needs
 * @param index the index it must cover, if it is about one
 */
record Operation(String action, Optional<String> index) {
    static Operation of(String action) {
        return new Operation(action, Optional.empty());
    }

    static Operation on(String uid, String action) {
        return new Operation(action, Optional.of(uid));
    }
}
