package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.console.WatchedGateways.INDEXES;
import static switchboard.console.WatchedGateways.LIBRARIES;
import static switchboard.console.WatchedGateways.data;
import static switchboard.console.WatchedGateways.hello;
import static switchboard.console.WatchedGateways.until;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.EventReader;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;

/** Who watches calls at one of two gateways sees those of both, and nothing is sent while nobody watches. */
@Tag("engines")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedCallsTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    Path folder;

    private WatchedGateways gateways;
    private TestGateway north;

    @BeforeEach
    void start() throws IOException {
        gateways = new WatchedGateways(postgres, folder);
        north = gateways.start("north");
        postgres.sql("""
                CREATE TABLE calls.sent (kind text, bytes int, at timestamptz DEFAULT clock_timestamp());
                CREATE FUNCTION calls.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO calls.sent (kind, bytes) VALUES (NEW.kind, octet_length(NEW.body)); RETURN NULL; END $$;
                CREATE TRIGGER note AFTER INSERT ON calls.message FOR EACH ROW EXECUTE FUNCTION calls.note()""");
    }

    @AfterEach
    void stop() throws IOException {
        gateways.close();
        postgres.sql("DROP SCHEMA calls CASCADE");
    }

    private TestGateway south() throws IOException {
        TestGateway south = gateways.start("south");
        WatchedGateways.meet(2, north, south);
        return south;
    }

    private static String one(String sql) {
        return postgres.sql(sql).strip();
    }

    @Test
    void callsOfAnotherGatewayAreSeenOnceAlsoThoseOfBefore() throws Exception {
        TestGateway south = south();
        gateways.call(south, "red", "before-1", "before-2");
        gateways.call(north, "red", "own-before");
        assertEquals("0", one("SELECT count(*) FROM calls.sent"), "nobody watches");
        EventReader events = gateways.events(north, "operators");
        assertTrue(hello(events).path("clustered").asBoolean());
        List<String> before = until(events, "south red before-1", "south red before-2", "north red own-before");
        assertEquals(3, before.size(), before::toString);
        gateways.call(south, "blue", "after");
        gateways.call(north, "blue", "own-after");
        List<String> after = until(events, "south blue after", "north blue own-after");
        assertEquals(2, after.size(), after::toString);

        EventReader second = gateways.events(north, "operators");
        EventReader other = gateways.events(south, "operators");
        hello(second);
        hello(other);
        String[] all = {
            "south red before-1",
            "south red before-2",
            "north red own-before",
            "south blue after",
            "north blue own-after",
            "north red last",
            "south red last"
        };
        gateways.call(north, "red", "last");
        gateways.call(south, "red", "last");
        assertEquals(7, until(second, all).size());
        assertEquals(7, until(other, all).size());
        assertEquals(2, until(events, "north red last", "south red last").size());
    }

    @Test
    void eachPersonSeesOfAnotherGatewayWhatIsForThem() throws Exception {
        TestGateway south = south();
        List<String> people = List.of("operators", "keeper", "red", "blue");
        List<EventReader> live =
                people.stream().map(team -> gateways.events(north, team)).toList();
        for (EventReader events : live) {
            hello(events);
        }
        for (String team : List.of("red", "blue", "keeper")) {
            gateways.call(south, team, LIBRARIES, INDEXES);
        }
        gateways.call(south, "operators", "end");
        List<List<String>> wanted = List.of(
                List.of(
                        "south red " + LIBRARIES,
                        "south red " + INDEXES,
                        "south blue " + LIBRARIES,
                        "south blue " + INDEXES,
                        "south keeper " + LIBRARIES,
                        "south keeper " + INDEXES,
                        "south operators end"),
                List.of(
                        "south red " + INDEXES,
                        "south blue " + INDEXES,
                        "south keeper " + LIBRARIES,
                        "south keeper " + INDEXES),
                List.of("south red " + LIBRARIES, "south red " + INDEXES),
                List.of("south blue " + LIBRARIES, "south blue " + INDEXES));
        for (int person = 0; person < people.size(); person++) {
            String[] all = wanted.get(person).toArray(String[]::new);
            assertEquals(wanted.get(person), until(live.get(person), all), people.get(person) + ", live");
            EventReader later = gateways.events(north, people.get(person));
            hello(later);
            assertEquals(wanted.get(person), until(later, all), people.get(person) + ", later");
        }
    }

    @Test
    void whoComesBackGoesOnWhereItWasAndOthersStopWhenNobodyWatches() throws Exception {
        TestGateway south = south();
        EventReader events = gateways.events(north, "red");
        hello(events);
        gateways.call(south, "red", "one");
        EventReader.Event one = events.next();
        assertEquals("one", data(one).path("tool").asText());
        events.close();
        gateways.call(south, "red", "two");
        AtomicInteger looks = new AtomicInteger();
        Eventually.within(
                Duration.ofSeconds(60),
                () -> {
                    // Fewer than are kept, however fast the machine is: "two" must still be among them.
                    if (looks.getAndIncrement() % 100 == 0) {
                        gateways.call(south, "blue", "nobody-sees-it");
                    }
                    return Double.parseDouble(
                                    one("SELECT extract(epoch FROM clock_timestamp() - max(at)) FROM calls.sent"
                                            + " WHERE kind = 'watch'"))
                            > 33;
                },
                () -> "nobody says that somebody watches");
        double lasted = Double.parseDouble(one(
                "SELECT extract(epoch FROM max(at) FILTER (WHERE kind = 'calls') - max(at) FILTER (WHERE kind = 'watch'))"
                        + " FROM calls.sent"));
        assertTrue(lasted > 5 && lasted < 32, () -> lasted + " seconds");
        gateways.call(south, "red", "three");
        EventReader back = gateways.events(north, "red", "Last-Event-ID", one.id());
        assertTrue(hello(back).path("resumed").asBoolean());
        List<String> seen = new ArrayList<>();
        while (!seen.contains("three")) {
            EventReader.Event event = back.next();
            seen.add(event.name().equals("call") ? data(event).path("tool").asText() : event.name() + event.data());
        }
        assertEquals(List.of("two", "three"), seen);
    }

    @Test
    void moreCallsThanCanBeSentAreCounted() throws Exception {
        TestGateway south = south();
        EventReader events = gateways.events(north, "operators");
        hello(events);
        gateways.call(south, "red", "first");
        until(events, "south red first");
        gateways.manyCalls(south, "red", 5_000);
        gateways.call(south, "red", "last");
        int got = 0;
        int missed = 0;
        for (boolean more = true; more; ) {
            EventReader.Event event = WatchedGateways.next(events);
            if (event.name().equals("missed")) {
                missed += data(event).path("calls").asInt(-1_000_000);
            } else {
                assertEquals("call", event.name(), event::data);
                got++;
                more = !data(event).path("tool").asText().equals("last");
            }
        }
        assertEquals(5_001, got + missed, got + " and " + missed);
        assertTrue(got >= 200, got + " came");
        assertTrue(
                Integer.parseInt(one("SELECT max(bytes) FROM calls.sent")) < SentCalls.MOST_BYTES + 65_536,
                "messages are small");
        assertTrue(Integer.parseInt(one("SELECT count(*) FROM calls.message")) <= 8);
    }

    @Test
    void withoutTheDatabaseOneSeesTheOwnCallsAndLaterThoseOfTheOthersOnce() throws Exception {
        TestGateway south = south();
        EventReader events = gateways.events(north, "operators");
        assertFalse(hello(events).path("missing").asBoolean(true));
        gateways.call(south, "red", "one");
        until(events, "south red one");
        postgres.kill();
        try {
            EventReader.Event told = events.next();
            assertEquals("gateways", told.name(), told::data);
            assertTrue(data(told).path("missing").asBoolean());
            gateways.call(south, "red", "meanwhile");
            gateways.call(north, "red", "own");
            assertEquals(1, until(events, "north red own").size());
        } finally {
            postgres.restart();
        }
        List<String> seen = new ArrayList<>();
        boolean missing = true;
        while (seen.isEmpty() || missing) {
            EventReader.Event event = events.next();
            if (event.name().equals("gateways")) {
                missing = data(event).path("missing").asBoolean();
            } else {
                seen.add(event.name() + " " + data(event).path("tool").asText());
            }
        }
        gateways.call(south, "red", "back");
        seen.addAll(until(events, "south red back"));
        assertEquals(List.of("call meanwhile", "south red back"), seen);
    }

    @Test
    void aGatewayThatIsKilledIsMissingNoMore() throws Exception {
        Path own = gateways.files("south");
        try (GatewayProcess south = GatewayProcess.start(
                        new GatewayProcess.Launch(own.resolve("switchboard.yaml"), own, "512m", 0))
                .ready()) {
            WatchedGateways.meet(2, north);
            EventReader events = gateways.events(north, "operators");
            hello(events);
            McpTestClient agent = McpTestClient.modern(south.url())
                    .with("X-API-Key", gateways.key("red").text());
            WatchedGateways.call(agent, "nothing");
            until(events, "south red nothing");
            south.kill();
            gateways.call(north, "red", "own");
            assertEquals(1, until(events, "north red own").size());
            WatchedGateways.meet(1, north);
            gateways.call(north, "red", "later");
            assertEquals(1, until(events, "north red later").size(), "nothing was said of it");
        }
    }
}
