package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.insight.Forgetting;
import switchboard.insight.InsightFolder;
import switchboard.insight.InsightSettings;
import switchboard.insight.InsightUnavailableException;
import switchboard.insight.SearchLog;
import switchboard.insight.SharedInsight;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;

/** Lines of the search log in a real database: each once, none that was forgotten, and none for longer than is said. */
@Tag("engines")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InsightTableTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    private final Vertx vertx = Vertx.vertx();
    private final AtomicBoolean joined = new AtomicBoolean(true);
    private ClusterDatabase database;
    private InsightTable table;

    @BeforeEach
    void open() throws Exception {
        String url = "postgres://" + postgres.superuser() + "@127.0.0.1:" + postgres.port() + "/" + postgres.database();
        ClusterConfig config = new ClusterConfig(Secret.of(url), null, null, null, "lines", null, 8);
        new Migrations(ClusterServers.direct(config).jdbc(), "lines").run();
        postgres.sql(
                "DELETE FROM lines.insight_line; DELETE FROM lines.insight_forgotten;"
                        + " UPDATE lines.insight_state SET hash_key = NULL; UPDATE lines.insight_sweep SET swept = '-infinity'");
        database = new ClusterDatabase(
                vertx, ClusterServers.ofStatements(config), 8, Clock.systemUTC(), ClusterDatabaseTest.UNHURRIED);
        table = new InsightTable(database, "\"lines\"", joined::get);
    }

    @AfterEach
    void close() throws Exception {
        await(database.close());
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(60, TimeUnit.SECONDS);
    }

    private static InsightRow row(String team, String asker, Instant since, String line) {
        return new InsightRow(UUID.randomUUID(), team, asker, "search", since, since, line);
    }

    private static List<InsightRow> rows(String team, int count, Instant since) {
        return IntStream.range(0, count)
                .mapToObj(i -> row(team, "k", since.plusSeconds(i), "{\"n\":" + (100_000 + i) + "}"))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private boolean append(List<InsightRow> rows) throws Exception {
        return await(table.append(rows, await(table.look()).forgotten()));
    }

    private List<String> lines(String team) throws Exception {
        List<String> all = new ArrayList<>();
        long last = 0;
        List<StoredLine> page;
        do {
            page = await(table.page(team, last, null));
            for (StoredLine line : page) {
                assertTrue(line.number() > last, "they come in their order");
                last = line.number();
                all.add(line.line());
            }
        } while (page.size() == InsightTable.PAGE);
        return all;
    }

    @Test
    void linesThatAreSentAgainAreThereOnceAndInTheirOrder() throws Exception {
        Instant now = Instant.now();
        List<InsightRow> some = rows("røde 😀", 450, now);
        assertTrue(append(some));
        some.add(row("røde 😀", "k\0k", now, "{\"query\":\"\\u0000 'x' \\\\ 😀\"}"));
        assertTrue(append(some));
        assertEquals(some.stream().map(InsightRow::line).toList(), lines("røde 😀"));
        assertEquals(List.of("røde 😀"), await(table.teams()));
        assertEquals(1, await(table.remove(null, "k\0k", null)), "a name with a null character is found again");
        assertEquals(
                List.of(some.get(449).line()),
                await(table.page("røde 😀", 0, now.plusSeconds(449))).stream()
                        .map(StoredLine::line)
                        .toList());
    }

    @Test
    void whoDoesNotKnowWhatIsForgottenWritesNothing() throws Exception {
        long before = await(table.look()).forgotten();
        await(table.forgets("{\"key\":\"x\"}"));
        assertFalse(await(table.append(rows("red", 1, Instant.now()), before)));
        assertEquals(List.of(), lines("red"));
        InsightLook look = await(table.look());
        assertEquals(
                List.of("{\"key\":\"x\"}"),
                look.notes().stream().map(InsightLook.InsightNote::what).toList());
        assertTrue(await(table.append(rows("red", 1, Instant.now()), look.forgotten())));
        postgres.sql("UPDATE lines.insight_forgotten SET at = at - interval '8 days'");
        assertEquals(List.of(), await(table.look()).notes());
        assertTrue(await(table.claim()));
        assertFalse(await(table.claim()), "another gateway has just had its turn");
        assertEquals(
                "0",
                postgres.sql("SELECT count(*) FROM lines.insight_forgotten").strip());
    }

    @Test
    void whatIsOldAndWhatIsTooMuchGoesTheOldestFirst() throws Exception {
        Instant now = Instant.now();
        append(rows("red", 5000, now.minus(Duration.ofHours(3))));
        append(rows("red", 10, now));
        append(rows("blue", 10, now.minus(Duration.ofHours(3))));
        await(table.tidy("red", Duration.ofHours(1), 1 << 20));
        assertEquals(10, lines("red").size());
        assertEquals(10, lines("blue").size(), "another team keeps its lines");
        await(table.tidy("red", Duration.ofHours(1), 36));
        assertEquals(List.of("{\"n\":100007}", "{\"n\":100008}", "{\"n\":100009}"), lines("red"));
        await(table.tidy("red", Duration.ofHours(1), 0));
        assertEquals(List.of(), lines("red"));
        await(table.tidy("nobody", Duration.ofHours(1), 0));
    }

    @Test
    void theNewestSearchesOfAnAskerWithinItsTimeAreFound() throws Exception {
        Instant now = Instant.now();
        List<InsightRow> rows = rows("red", 90, now.minusSeconds(140));
        rows.add(row("red", "other", now, "{\"other\":1}"));
        rows.add(row("blue", "k", now, "{\"other\":2}"));
        rows.add(new InsightRow(UUID.randomUUID(), "red", "k", "fetched", now.minusSeconds(90), now, "{\"other\":3}"));
        append(rows);
        List<StoredLine> found = await(table.searches(List.of(
                new InsightAsker("red", "k", now.minusSeconds(600), now.minusSeconds(80)),
                new InsightAsker("red", "nobody", now.minusSeconds(600), now))));
        assertEquals(60, found.size());
        assertEquals("{\"n\":100060}", found.getFirst().line());
        assertEquals("{\"n\":100001}", found.getLast().line());
    }

    @Test
    void whatIsRemovedMeetsAllThatIsGiven() throws Exception {
        Instant now = Instant.now();
        append(List.of(
                row("red", "a", now, "1"),
                row("red", "b", now.minusSeconds(60), "2"),
                row("blue", "a", now.minusSeconds(60), "3")));
        assertEquals(0, await(table.remove("red", "a", now.minusSeconds(30))));
        assertEquals(1, await(table.remove("red", "a", null)));
        assertEquals(2, await(table.remove(null, null, now.minusSeconds(30))));
        assertEquals(List.of(), await(table.teams()));
        append(rows("red", 4500, now));
        assertEquals(4500, await(table.remove("red", null, null)), "more than one step");
    }

    @Test
    void aLineThatAnotherCommandHasChangedIsNotOverwritten() throws Exception {
        append(List.of(row("red", "k", Instant.now(), "{\"hits\":[1,2]}")));
        StoredLine seen = await(table.having("1,2", "red", null, null, 0)).getFirst();
        assertTrue(await(table.replace(seen, "{\"hits\":[2]}")));
        assertFalse(await(table.replace(seen, "{\"hits\":[1]}")));
        assertEquals(List.of("{\"hits\":[2]}"), lines("red"));
        assertEquals(List.of(), await(table.having("[2]", "red", "other", null, 0)));
        assertEquals(List.of(), await(table.having("[2]", "red", "k", Instant.EPOCH, 0)));
        assertTrue(await(table.remove(seen)));
        assertFalse(await(table.remove(seen)), "it is gone already");
    }

    @Test
    void documentsThatAreForgottenAtTheSameTimeAreAllGone(@TempDir Path data) throws Exception {
        String line = "{\"event\":\"search\",\"team\":\"red\",\"key\":\"k\",\"query\":\"s://a/0\",\"hits\":["
                + IntStream.range(0, 8)
                        .mapToObj(i -> "{\"address\":\"s://a/" + i + "\"}")
                        .collect(Collectors.joining(","))
                + "]}";
        append(IntStream.range(0, 450)
                .mapToObj(_ -> row("red", "k", Instant.now(), line))
                .toList());
        List<Thread> commands = IntStream.range(0, 7)
                .mapToObj(i -> Thread.ofVirtual()
                        .start(() -> forgets(
                                new SharedInsight(table, new InsightFolder(data), Clock.systemUTC()), "s://a/" + i)))
                .toList();
        for (Thread command : commands) {
            assertTrue(command.join(Duration.ofSeconds(100)));
        }
        assertEquals(
                List.of(
                        "{\"event\":\"search\",\"team\":\"red\",\"key\":\"k\",\"query\":\"s://a/0\",\"hits\":[{\"address\":\"s://a/7\"}]}"),
                lines("red").stream().distinct().toList());
        assertEquals(450, lines("red").size());
    }

    /** Repeats the command while the log can't be reached, as when others hold its rows for too long. */
    private static void forgets(SharedInsight log, String document) {
        Eventually.within(
                Duration.ofSeconds(90),
                () -> {
                    try {
                        log.forget(new Forgetting(null, null, document, null), Instant.now());
                        return true;
                    } catch (InsightUnavailableException _) {
                        return false;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                () -> document + " is forgotten");
    }

    @Test
    void allGatewaysHaveOneKeyAndNothingIsAskedBeforeTheSchemaIsThere() throws Exception {
        byte[] first = {1, 2, 3};
        assertEquals(3, await(table.hashKey(first)).length);
        assertEquals(3, await(table.hashKey(new byte[] {4, 5, 6, 7})).length, "the first one stays");
        joined.set(false);
        assertThrows(ClusterUnavailableException.class, () -> await(table.look()));
        assertThrows(ClusterUnavailableException.class, () -> await(table.append(List.of(), 0)));
        assertThrows(ClusterUnavailableException.class, () -> await(table.page("red", 0, null)));
        assertThrows(ClusterUnavailableException.class, () -> await(table.claim()));
    }

    @Test
    void theLogKeepsEachTeamForItsTimeAndWhatIsLeftOfOthersForAMonth(@TempDir Path data) throws Exception {
        InsightSettings settings = new InsightSettings(Map.of(
                "red",
                new InsightSettings.TeamInsight(InsightSettings.QueryDetail.FULL, Duration.ofHours(1), 36),
                "blue",
                new InsightSettings.TeamInsight(InsightSettings.QueryDetail.FULL, Duration.ofHours(3), 1 << 20)));
        Instant now = Instant.now();
        for (String team : List.of("red", "blue", "gone")) {
            append(rows(team, 2, now.minus(Duration.ofDays(31))));
            append(rows(team, 2, now.minus(Duration.ofHours(2))));
            append(rows(team, 4, now));
        }
        SharedInsight store = new SharedInsight(table, new InsightFolder(data), Clock.systemUTC());
        try (SearchLog log = new SearchLog(settings, store, Clock.systemUTC(), new SimpleMeterRegistry())) {
            log.tidy();
            assertEquals(3, lines("red").size());
            assertEquals(6, lines("blue").size());
            assertEquals(6, lines("gone").size());
            append(rows("red", 9, now.minus(Duration.ofHours(2))));
            log.tidy();
            assertEquals(12, lines("red").size(), "another gateway has just had its turn");
            joined.set(false);
            log.tidy();
        }
    }

    @Test
    void whatTheDataFolderHasOfTheTimeBeforeIsForgottenToo(@TempDir Path data) throws Exception {
        Path team = Files.createDirectories(data.resolve("insight/team-red"));
        Files.writeString(
                team.resolve("20260101T000000.000Z.jsonl"),
                "{\"event\":\"search\",\"team\":\"red\",\"key\":\"k\",\"time\":\"2026-01-01T00:00:00Z\",\"hits\":[]}\n");
        append(List.of(row("red", "k", Instant.now(), "{\"team\":\"red\",\"key\":\"k\"}")));
        SharedInsight store = new SharedInsight(table, new InsightFolder(data), Clock.systemUTC());
        List<String> read = new ArrayList<>();
        store.read(null, line -> read.add(line.toString()));
        assertEquals(List.of("{\"team\":\"red\",\"key\":\"k\"}"), read, "it is not read any more");
        assertEquals(2, store.forget(new Forgetting(null, "k", null, null), Instant.now()));
        assertEquals(List.of(), lines("red"));
        assertFalse(Files.exists(team), "its name is that of the team");
    }
}
