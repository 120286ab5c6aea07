package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import switchboard.auth.Principal;
import switchboard.console.ConsoleKeys;
import switchboard.console.ConsoleSchedules;
import switchboard.console.ConsoleTeams;
import switchboard.console.ConsoleTuning;
import switchboard.console.HeldDefinitions;
import switchboard.console.Judging;
import switchboard.console.Uploads;
import switchboard.console.WatchedCalls;

/**
 * What the console's own requests use; what pages show of tools and documents they get by MCP.
 *
 * @param operator whether somebody may see what is for operators
 * @param mcp the URL of MCP for agents
 * @param judging what people say of answers
 * @param sources the page of sources
 * @param calls the calls that somebody may watch
 * @param operators the pages for operators
 */
public record ConsoleServices(
        Predicate<Principal> operator,
        Supplier<String> mcp,
        Judging judging,
        SourceServices sources,
        WatchedCalls calls,
        OperatorServices operators) {
    /**
     * What the page of sources uses.
     *
     * @param backends the backends that somebody may see, with their health
     * @param uploads keeps files until they are ingested
     * @param mayUpload whether somebody may ingest files at all
     * @param schedules when collections are updated
     */
    public record SourceServices(
            Function<Principal, ObjectNode> backends,
            Uploads uploads,
            Predicate<Principal> mayUpload,
            ConsoleSchedules schedules) {}

    /**
     * What the pages for operators use.
     *
     * @param teams the teams that somebody may see, and what they may do
     * @param keys makes and revokes keys
     * @param definitions what is held back of other servers
     * @param tuning weights that are proposed for searches
     */
    public record OperatorServices(
            ConsoleTeams teams, ConsoleKeys keys, HeldDefinitions definitions, ConsoleTuning tuning) {}
}
