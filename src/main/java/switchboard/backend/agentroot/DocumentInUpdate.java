package switchboard.backend.agentroot;

import io.vertx.core.Promise;
import java.util.Optional;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.backend.agentroot.source.SourcePermission;

/**
 * A document while an update processes it.
 *
 * @param source where it comes from
 * @param permission who may read it, as soon as its content was read
 */
record DocumentInUpdate(SourceDocument source, Promise<SourcePermission> permission) {
    static DocumentInUpdate of(SourceDocument source) {
        return new DocumentInUpdate(source, Promise.promise());
    }

    /** Who may read it, if its content was read. */
    Optional<SourcePermission> known() {
        return permission.future().succeeded() ? Optional.of(permission.future().result()) : Optional.empty();
    }
}
