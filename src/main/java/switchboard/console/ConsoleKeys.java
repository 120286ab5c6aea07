package switchboard.console;

import io.vertx.core.Future;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;

/** Keys that operators make and revoke in the console. Each change, and each refusal, is audited. Thread-safe. */
public interface ConsoleKeys {
    /**
     * A key that somebody wants.
     *
     * @param id its id; null for a random one
     * @param expires the day from which it is refused; null for never
     */
    record WantedKey(
            String team, @Nullable String id, @Nullable LocalDate expires) {}

    /** Whether {@code person} is an operator of the whole gateway, who may change keys. */
    boolean mayChange(Principal person);

    /** Makes a key. */
    Future<ChangeOutcome> create(ConsoleEditor editor, WantedKey wanted);

    /** Revokes the key {@code id} of {@code team}. */
    Future<ChangeOutcome> revoke(ConsoleEditor editor, String team, String id);

    /**
     * Notes that somebody tried to change a key who may not.
     *
     * @param create whether a key was to be made, rather than revoked
     */
    void denied(ConsoleEditor editor, boolean create);
}
