package switchboard.telemetry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import switchboard.call.AnswerNotes;

/**
 * A call of a tool that was answered, with the answer as its caller gets it.
 *
 * @param source where the request came from
 * @param caller who sent it
 * @param backend whose tool it is
 * @param tool the tool's name at its backend
 * @param arguments as the caller gave them, without private data; must not be changed
 * @param structured the structured content; must not be changed
 * @param duration since the request arrived
 * @param notes of the tool, which the caller does not get
 */
public record AnsweredCall(
        RequestSource source,
        RequestCaller caller,
        String backend,
        String tool,
        ObjectNode arguments,
        ObjectNode structured,
        Duration duration,
        AnswerNotes notes) {}
