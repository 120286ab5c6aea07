package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;

/** Keys that operators make and revoke in the console. Each change, and each refusal, is audited. Thread-safe. */
public interface ConsoleKeys {
    /**
     * Who changes a key.
     *
     * @param address the person's network address
     */
    record KeyEditor(Principal person, String address) {}

    /**
     * A key that somebody wants.
     *
     * @param id its id; null for a random one
     * @param expires the day from which it is refused; null for never
     */
    record WantedKey(
            String team, @Nullable String id, @Nullable LocalDate expires) {}

    /** What came of a change. */
    sealed interface KeyOutcome {
        /** It is made. */
        record KeyChanged(ObjectNode body) implements KeyOutcome {
            /** Does not contain the key. */
            @Override
            public String toString() {
                return "KeyChanged";
            }
        }

        /** It is not made. */
        record KeyUnchanged(KeyProblem reason, String message) implements KeyOutcome {}
    }

    /** Why nothing is changed. */
    enum KeyProblem {
        /** A field of the request is wrong; the message begins with its name. */
        INVALID,
        /** There is no such key. */
        UNKNOWN,
        /** The teams file can't be changed. */
        CONFLICT,
        /** It can't be done at the moment. */
        UNAVAILABLE
    }

    /** Whether {@code person} is an operator of the whole gateway, who may change keys. */
    boolean mayChange(Principal person);

    /** Makes a key. */
    Future<KeyOutcome> create(KeyEditor editor, WantedKey wanted);

    /** Revokes the key {@code id} of {@code team}. */
    Future<KeyOutcome> revoke(KeyEditor editor, String team, String id);

    /**
     * Notes that somebody tried to change a key who may not.
     *
     * @param create whether a key was to be made, rather than revoked
     */
    void denied(KeyEditor editor, boolean create);
}
