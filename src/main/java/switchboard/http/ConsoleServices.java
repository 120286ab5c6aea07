package switchboard.http;

import java.util.function.Predicate;
import java.util.function.Supplier;
import switchboard.auth.Principal;
import switchboard.console.ConsoleBackends;
import switchboard.console.ConsoleKeys;
import switchboard.console.ConsoleTeams;
import switchboard.console.JudgmentSets;
import switchboard.console.Uploads;
import switchboard.console.WatchedCalls;

/**
 * What the console's own requests use; what pages show of tools and documents they get by MCP.
 *
 * @param operator whether somebody may see what is for operators
 * @param judgments what people say of answers
 * @param uploads keeps files until they are ingested
 * @param backends the backends that somebody may see, with their health and schedules
 * @param mcp the URL of MCP for agents
 * @param calls the calls that somebody may watch
 * @param teams the teams that somebody may see, and what they may do
 * @param keys makes and revokes keys
 */
public record ConsoleServices(
        Predicate<Principal> operator,
        JudgmentSets judgments,
        Uploads uploads,
        ConsoleBackends backends,
        Supplier<String> mcp,
        WatchedCalls calls,
        ConsoleTeams teams,
        ConsoleKeys keys) {}
