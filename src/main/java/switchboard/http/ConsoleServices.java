package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import switchboard.auth.Principal;
import switchboard.console.ConsoleKeys;
import switchboard.console.ConsoleTeams;
import switchboard.console.Judging;
import switchboard.console.Uploads;
import switchboard.console.WatchedCalls;

/**
 * What the console's own requests use; what pages show of tools and documents they get by MCP.
 *
 * @param operator whether somebody may see what is for operators
 * @param judging what people say of answers
 * @param uploads keeps files until they are ingested
 * @param backends the backends that somebody may see, with their health
 * @param mcp the URL of MCP for agents
 * @param calls the calls that somebody may watch
 * @param teams the teams that somebody may see, and what they may do
 * @param keys makes and revokes keys
 */
public record ConsoleServices(
        Predicate<Principal> operator,
        Judging judging,
        Uploads uploads,
        Function<Principal, ObjectNode> backends,
        Supplier<String> mcp,
        WatchedCalls calls,
        ConsoleTeams teams,
        ConsoleKeys keys) {}
