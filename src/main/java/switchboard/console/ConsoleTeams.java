package switchboard.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;

/**
 * Teams, and what they may do, as the console shows them: to operators all of them, to anybody else the own one. An answer never has
 * a key, a digest or the value of a binding. Thread-safe.
 */
public interface ConsoleTeams {
    /**
     * What somebody wants to know about a team's rights.
     *
     * @param view the name of the view that is called; null for the one that the team would use
     * @param tool the tool that it is about; null for all
     * @param resource what a call of the tool names; null for nothing
     */
    record AccessQuestion(
            String team,
            @Nullable String view,
            @Nullable String tool,
            @Nullable String resource) {}

    /** The teams that {@code person} may see. */
    Future<ObjectNode> teams(Principal person);

    /** The decisions of the access rules; empty if there is no such team, view or tool, or {@code person} may not see it. */
    Future<Optional<ObjectNode>> access(Principal person, AccessQuestion question);
}
