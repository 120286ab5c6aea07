package switchboard.backend.agentroot;

import io.vertx.core.Promise;
import java.util.Optional;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.store.AllowedReaders;

/**
 * A document while an update processes it.
 *
 * @param source where it comes from
 * @param allow who may read it, as soon as that is known
 * @param wrong is complete if what it says of its readers can't be understood
 */
record DocumentInUpdate(SourceDocument source, Promise<AllowedReaders> allow, Promise<Boolean> wrong) {
    static DocumentInUpdate of(SourceDocument source) {
        return new DocumentInUpdate(source, Promise.promise(), Promise.promise());
    }

    /** Who may read it, if that is known. */
    Optional<AllowedReaders> known() {
        return allow.future().succeeded() ? Optional.of(allow.future().result()) : Optional.empty();
    }

    /** Whether what it says of its readers can't be understood. */
    boolean isWrong() {
        return wrong.future().succeeded();
    }
}
