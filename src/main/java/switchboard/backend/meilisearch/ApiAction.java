package switchboard.backend.meilisearch;

import java.util.Optional;

/**
 * What is asked of the engine, for messages.
 *
 * @param action the action a key needs
 * @param index the index it must cover, if it is about one
 */
record ApiAction(String action, Optional<String> index) {
    static ApiAction of(String action) {
        return new ApiAction(action, Optional.empty());
    }

    static ApiAction on(String uid, String action) {
        return new ApiAction(action, Optional.of(uid));
    }
}
