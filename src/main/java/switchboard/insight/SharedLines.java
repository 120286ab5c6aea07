package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import switchboard.call.Json;
import switchboard.cluster.InsightAsker;
import switchboard.cluster.InsightRow;
import switchboard.cluster.StoredLine;

/**
 * Makes rows of the lines of a batch: with what is known of other gateways, and without what is to be forgotten. Where a clock is not
 * known exactly, searches count as early and reads as late, so that what was read after a search is after it. Not thread-safe.
 */
final class SharedLines {
    private final ClockDifference clock;
    private final List<ForgetNotes.ForgetNote> notes;
    private final QueryHashes hashes;
    private final RecentSearches recent = new RecentSearches();
    private final List<InsightRow> rows = new ArrayList<>();
    private final List<TeamLine> unexplained = new ArrayList<>();
    private int forgotten;

    /** With what is to be forgotten. */
    SharedLines(ClockDifference clock, List<ForgetNotes.ForgetNote> notes, QueryHashes hashes) {
        this.clock = clock;
        this.notes = notes;
        this.hashes = hashes;
    }

    /** Whose searches on other gateways {@code lines} may belong to. */
    List<InsightAsker> askers(List<TeamLine> lines) {
        Map<AskerKey, InsightAsker> askers = new HashMap<>();
        for (TeamLine line : lines) {
            ReadDocument read = line.read();
            Instant time = read == null ? clock.earliest(line.since()) : clock.latest(read.time());
            String key = read == null
                    ? line.json(hashes).path("key").asText()
                    : read.caller().key();
            askers.merge(
                    new AskerKey(line.team(), key),
                    new InsightAsker(line.team(), key, time.minus(SearchTrail.FOLLOWS), time),
                    SharedLines::both);
        }
        return List.copyOf(askers.values());
    }

    private static InsightAsker both(InsightAsker one, InsightAsker other) {
        return new InsightAsker(
                one.team(),
                one.asker(),
                one.from().isBefore(other.from()) ? one.from() : other.from(),
                one.to().isAfter(other.to()) ? one.to() : other.to());
    }

    /** Takes searches into account that are written; those of an asker come with the newest first. */
    void know(List<StoredLine> searches) {
        searches.reversed().forEach(search -> SharedInsight.parsed(search.line())
                .ifPresent(line -> recent.add(
                        search.team(), search.asker(), new RecentSearches.RecentSearch(search.since(), line))));
    }

    /** Adds the row of a line; the lines of a batch come in their order. */
    void add(TeamLine line) {
        ReadDocument read = line.read();
        if (read == null) {
            addSearch(line);
            return;
        }
        // A search that only this gateway knows has no row: it was forgotten, or it is lost. So nothing is to be kept
        // of it either.
        recent.use(read, clock.latest(read.time()))
                .ifPresentOrElse(use -> add(line, use.searched(), use.line()), () -> unexplained.add(line));
    }

    private void addSearch(TeamLine line) {
        JsonNode json = line.json(hashes);
        Instant since = clock.earliest(line.since());
        if (json instanceof ObjectNode search) {
            RecentSearches.RecentSearch one = new RecentSearches.RecentSearch(since, search);
            String key = search.path("key").asText();
            Instant linked = recent.link(line.team(), key, one, search);
            recent.add(line.team(), key, one);
            json = linked == null
                    ? search.without(List.of("after", "rest_of")) // as with reads: what has no row is not named either
                    : ForgetNotes.unlinked(notes, linked, search, hashes::of);
        }
        add(line, since, json);
    }

    private void add(TeamLine line, Instant since, JsonNode json) {
        ForgetNotes.rest(notes, since, json, hashes::of)
                .ifPresentOrElse(rest -> rows.add(row(line.id(), line.team(), since, rest)), () -> forgotten++);
    }

    private static InsightRow row(UUID id, String team, Instant since, JsonNode json) {
        return new InsightRow(
                id,
                team,
                json.path("key").asText(),
                json.path("event").asText(),
                since,
                LoggedQuestion.time(json).orElse(since),
                Json.text(json));
    }

    /** The rows to write. */
    List<InsightRow> rows() {
        return List.copyOf(rows);
    }

    /** What became of the lines. */
    InsightStore.Appended appended() {
        return new InsightStore.Appended(forgotten, List.copyOf(unexplained));
    }
}
