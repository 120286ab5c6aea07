package switchboard.backend.meilisearch;

import java.util.Optional;

/**
 * A request to the engine, for messages.
 *
 * @param action the action that the key must allow
 * @param index the index that it must cover, if it concerns one
 */
record ApiAction(String action, Optional<String> index) {
    static ApiAction of(String action) {
        return new ApiAction(action, Optional.empty());
    }

    static ApiAction on(String uid, String action) {
        return new ApiAction(action, Optional.of(uid));
    }
}
