package switchboard.task;

import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;

/**
 * The call that a task stands for.
 *
 * @param owner who began it; it does not exist for anybody else
 * @param backend the backend of its tool
 * @param tool the tool's name at the backend
 * @param resources the resources that the arguments name
 * @param upstreamId the task's id at the server behind the backend; null for work of the gateway's own
 */
public record TaskCall(
        PrincipalId owner,
        String backend,
        String tool,
        List<String> resources,
        @Nullable String upstreamId) {
    public TaskCall {
        resources = List.copyOf(resources);
    }

    /** Whether another server does the work. */
    public boolean relayed() {
        return upstreamId != null;
    }
}
