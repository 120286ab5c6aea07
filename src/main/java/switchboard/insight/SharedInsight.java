package switchboard.insight;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.InsightLook;
import switchboard.cluster.InsightTable;
import switchboard.cluster.StoredLine;

/**
 * The search log in the database that gateways share: what is read on one gateway belongs to what was searched on another one. What the
 * data folder has of the time before goes when it is old, or is to be forgotten. Thread-safe; blocks.
 */
public final class SharedInsight extends InsightStore {
    /** Longer than any time limit of the database, so that its failure comes first. */
    private static final Duration MOST = Duration.ofSeconds(60);

    /** Removing much takes long; each step has its own time limit. */
    public static final Duration REMOVING = Duration.ofHours(1);

    private final InsightTable table;
    private final InsightFolder before;
    private final Clock clock;
    private @Nullable QueryHashes hashes;

    /**
     * The log in {@code table}.
     *
     * @param before what a gateway without others has written
     */
    public SharedInsight(InsightTable table, InsightFolder before, Clock clock) {
        this.table = table;
        this.before = before;
        this.clock = clock;
    }

    private static <T> T await(Future<T> future, Duration most) throws InsightUnavailableException {
        return Futures.await(future, most, why -> new InsightUnavailableException("The search log is", why));
    }

    private static <T> T await(Future<T> future) throws InsightUnavailableException {
        return await(future, MOST);
    }

    @Override
    synchronized QueryHashes hashes() throws IOException {
        QueryHashes known = hashes;
        if (known == null) {
            known = QueryHashes.with(await(table.hashKey(QueryHashes.made())));
            hashes = known;
        }
        return known;
    }

    @Override
    boolean takes(TeamLine line) {
        return line.line().length > 0 || line.read() != null;
    }

    @Override
    Appended append(List<TeamLine> lines, InsightSettings settings, Instant now) throws IOException {
        while (!lines.isEmpty()) {
            Instant sent = clock.instant();
            InsightLook look = await(table.look());
            SharedLines made =
                    new SharedLines(ClockDifference.of(sent, look.now(), clock.instant()), notes(look), hashes());
            made.know(await(table.searches(made.askers(lines))));
            lines.forEach(made::add);
            if (made.rows().isEmpty() || await(table.append(made.rows(), look.forgotten()))) {
                return made.appended();
            }
        }
        return new Appended(0, List.of());
    }

    private static List<ForgetNotes.ForgetNote> notes(InsightLook look) throws IOException {
        try {
            return look.notes().stream()
                    .flatMap(note -> parsed(note.what()).stream()
                            .map(what -> new ForgetNotes.ForgetNote(note.at(), ForgetNotes.what(what))))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** A line of the table; empty if it is damaged, as one in a file. */
    static Optional<JsonNode> parsed(String line) {
        try {
            return Optional.of(Json.parse(line));
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }

    @Override
    void tidy(InsightSettings settings, Instant now) throws IOException {
        before.tidy(settings, now);
        if (!await(table.claim())) {
            return;
        }
        IOException failed = null;
        for (String team : await(table.teams())) {
            InsightSettings.TeamInsight kept = settings.of(team).orElse(InsightSettings.TeamInsight.UNNAMED);
            try {
                await(table.tidy(team, kept.keepFor(), kept.maxBytes()), REMOVING);
            } catch (IOException e) { // it must not keep what others have
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public void read(@Nullable String team, @Nullable Instant from, Consumer<JsonNode> reader) throws IOException {
        for (String one : teams(team)) {
            long last = 0;
            List<StoredLine> page;
            do {
                page = await(table.page(one, last, from));
                page.forEach(line -> parsed(line.line()).ifPresent(reader));
                last = page.isEmpty() ? last : page.getLast().number();
            } while (page.size() == InsightTable.PAGE);
        }
    }

    private List<String> teams(@Nullable String team) throws IOException {
        return team == null ? await(table.teams()) : List.of(team);
    }

    @Override
    public long forget(Forgetting forgetting, Instant now) throws IOException {
        QueryHashes hash = hashes();
        await(table.forgets(Json.text(ForgetNotes.json(forgetting.hashed(hash::of)))));
        long changed = before.exists() ? before.forget(forgetting, now) : 0;
        if (forgetting.document() == null) {
            return changed + await(table.remove(forgetting.team(), forgetting.key(), forgetting.before()), REMOVING);
        }
        for (String team : teams(forgetting.team())) {
            changed += forget(forgetting, forgetting.document(), team);
        }
        return changed;
    }

    private long forget(Forgetting forgetting, String document, String team) throws IOException {
        String quoted = Json.text(TextNode.valueOf(document));
        long changed = 0;
        long last = 0;
        List<StoredLine> page;
        do {
            page = await(table.having(quoted, team, forgetting.key(), forgetting.before(), last));
            for (StoredLine stored : page) {
                Optional<JsonNode> line = parsed(stored.line());
                Optional<JsonNode> rest = line.flatMap(forgetting::rest);
                if (rest.isEmpty() || !rest.equals(line)) { // a damaged one goes
                    if (!await(rest.map(left -> table.replace(stored, Json.text(left)))
                            .orElseGet(() -> table.remove(stored)))) {
                        break; // another command has changed it: the next page begins with it
                    }
                    changed++;
                }
                last = stored.number();
            }
        } while (!page.isEmpty());
        return changed;
    }
}
