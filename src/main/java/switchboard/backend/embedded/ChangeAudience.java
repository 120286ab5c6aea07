package switchboard.backend.embedded;

import java.util.Set;
import java.util.function.Predicate;
import switchboard.call.Caller;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;

/**
 * Who may know of a change in an embedded store: callers of its owner who may read some of what has changed.
 *
 * @param owner the owner that callers are bound to; {@code ""} for callers that are bound to none
 * @param readers who may read what has changed, as it was and as it is now
 */
public record ChangeAudience(String owner, Set<AllowedReaders> readers) implements Predicate<Caller> {
    public ChangeAudience {
        readers = Set.copyOf(readers);
    }

    /**
     * Whether {@code caller} may know of it.
     *
     * @throws switchboard.call.ToolException {@code DENIED} if the caller lacks a claim
     */
    @Override
    public boolean test(Caller caller) {
        DocumentAccess access = CallerAccess.of(caller);
        return owner.equals(caller.owner()) && readers.stream().anyMatch(access::permits);
    }
}
