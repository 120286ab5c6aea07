package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.auth.Principal;

/**
 * Definitions of tools of other servers that are held back until an operator approves them. Each approval, and each refusal, is audited.
 * Thread-safe.
 */
public interface HeldDefinitions {
    /**
     * A definition that somebody has seen.
     *
     * @param backend the server's backend
     * @param tool the name at the server
     * @param hash SHA-256 of the definition, hexadecimal
     */
    record SeenDefinition(String backend, String tool, String hash) {}

    /** Whether {@code person} is an operator of the whole gateway, who may see and approve them. */
    boolean mayApprove(Principal person);

    /**
     * What is held back: {@code held}, each with {@code backend}, {@code tool}, {@code hash}, {@code definition}, and
     * {@code approved}, the definition before, where that is known; and {@code unread}, the backends whose files can't be read.
     */
    Future<ObjectNode> list();

    /** Approves a definition, unless the server has another one by now. */
    Future<ChangeOutcome> approve(ConsoleEditor editor, SeenDefinition seen);

    /** Notes that somebody tried to approve one who may not. */
    void denied(ConsoleEditor editor);
}
