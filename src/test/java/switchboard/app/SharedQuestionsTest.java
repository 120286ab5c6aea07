package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HookReceiver;
import switchboard.testing.PrintedCommand;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.HeardLog;

/** Standing questions of gateways that share a database, seen by agents over MCP. */
@Tag("engines")
class SharedQuestionsTest extends SharedQuestions {
    private String forget(String... what) throws IOException {
        Path data = folder.resolve("one");
        Path config = Files.writeString(folder.resolve("command.yaml"), settings(data));
        return PrintedCommand.run(
                        config,
                        data,
                        Stream.concat(Stream.of("insight", "forget"), Stream.of(what))
                                .toArray(String[]::new))
                .succeeded();
    }

    @Test
    void whatIsForgottenIsOnNoGatewayAndInNoRow() throws IOException {
        List<TestGateway> both = two();
        asker(both.getFirst(), "ann").ask(Json.object().put("query", "zanzibar").put("note", "pemba"));
        String watch = ask(both.getLast(), "bob", "grain");
        ingest(both.getFirst(), "silo", "Grain is in the silo.");
        ingest(both.getFirst(), "mill", "Grain is ground in the mill.");
        JsonNode news = news(both.getFirst(), "bob", watch, 2);
        assertTrue(postgres.dump().contains("zanzibar") || postgres.dump().contains(hex("zanzibar")));
        assertTrue(forget("--team=readers", "--key=ann").contains("1 standing questions are gone"));
        for (TestGateway gateway : both) {
            Eventually.that(() -> ok(gateway, "ann", Json.object()).isEmpty(), () -> "ann has none any more");
            assertEquals(1, ok(gateway, "bob", Json.object()).size());
        }
        assertFalse(postgres.dump().contains("zanzibar"));
        assertFalse(postgres.dump().contains(hex("zanzibar")));
        String document = news.at("/news/0/address").asText();
        String left = news.at("/news/1/address").asText();
        assertTrue(forget("--document=" + document).contains("1 standing questions are gone or have changed"));
        for (TestGateway gateway : both) {
            Eventually.that(
                    () -> !read(gateway, "bob", watch).toString().contains(document), () -> document + " is forgotten");
            assertTrue(read(gateway, "bob", watch).toString().contains(left));
        }
        assertFalse(postgres.dump().contains(hex(document)));
        forget("--team=readers");
        assertEquals("0", postgres.sql("SELECT count(*) FROM " + schema + ".watch WHERE team = 'readers'"));
    }

    @Test
    void whatCanNotBeReadIsNotSaidInTheLog() throws IOException {
        TestGateway first = gateway("one");
        ingest(first, "barge", "A barge carries grain on the river.");
        ask(first, "ann", "grain");
        String watch = ask(first, "bob", "coal");
        postgres.sql("UPDATE " + schema
                + ".watch SET body = convert_to('{\"question\": canarywords', 'UTF8') WHERE uri <> '" + watch + "'");
        try (HeardLog logs = HeardLog.open()) {
            TestGateway second = gateway("two");
            assertEquals("coal", read(second, "bob", watch).path("query").asText());
            assertTrue(logs.has("a standing question in the database can't be read"), () -> logs.lines()
                    .toString());
            assertFalse(logs.has("canarywords"), () -> logs.lines().toString());
        }
    }

    @Test
    void aMessageThatWaitsIsForgottenAndNotSent() throws IOException {
        try (HookReceiver receiver = new HookReceiver(SECRET)) {
            more = ", webhooks: {hosts: [\"127.0.0.1:" + receiver.port()
                    + "\"], secret: \"${file:FOLDER/hook.key}\", allowPrivate: true}";
            List<TestGateway> both = two();
            Integer[] failing = Collections.nCopies(50, 500).toArray(Integer[]::new);
            for (String id : List.of("ann", "bob")) {
                receiver.answers("/of-" + id, failing);
                asker(both.getFirst(), id)
                        .ask(Json.object()
                                .put("query", "grain")
                                .put("webhook", "http://127.0.0.1:" + receiver.port() + "/of-" + id));
            }
            ingest(both.getLast(), "silotitle", "Grain is in the silo.");
            for (String id : List.of("ann", "bob")) {
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> ok(both.getLast(), id, Json.object())
                                .at("/0/webhook/status")
                                .asText()
                                .equals("retrying"),
                        () -> ok(both.getLast(), id, Json.object()).toString());
            }
            forget("--key=ann");
            assertFalse(postgres.dump().contains(hex("/of-ann")));
            assertTrue(postgres.dump().contains(hex("/of-bob")));
            int sent = receiver.at("/of-ann").size();
            int others = receiver.at("/of-bob").size();
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> receiver.at("/of-bob").size() > others,
                    () -> "what bob has waiting is not sent");
            assertTrue(receiver.at("/of-ann").size() <= sent + 1, "one may have been under way");
        }
    }

    @Test
    void whatOneGatewayIsToldAnyOtherKnowsAtOnce() throws IOException {
        List<TestGateway> both = two();
        for (int round = 0; round < 6; round++) {
            TestGateway here = both.get(round % 2);
            TestGateway there = both.get(1 - round % 2);
            String watch = asker(here, "ann")
                    .ask(Json.object().put("query", "grain").put("note", "für Jürgen 🛶 \0 " + round));
            assertEquals(
                    watch,
                    ok(there, "ann", Json.object()).at("/0/watch").asText(),
                    "asked here, listed there right after");
            assertEquals(
                    "für Jürgen 🛶 \0 " + round,
                    read(there, "ann", watch).path("note").asText());
            assertEquals(
                    watch,
                    client(there, "ann")
                            .result("resources/list", Json.object())
                            .at("/resources/0/uri")
                            .asText());
            ok(there, "ann", Json.object().put("watch", watch).put("query", "coal"));
            JsonNode contents = client(here, "ann")
                    .result("resources/read", Json.object().put("uri", watch))
                    .at("/contents/0/text");
            assertEquals("coal", Json.parse(contents.asText()).path("query").asText(), "changed there, read here");
            for (String stranger : List.of("bob", "eve")) {
                assertEquals(0, ok(there, stranger, Json.object()).size());
                assertTrue(client(there, stranger)
                        .call("watch_search", Json.object().put("watch", watch))
                        .isError());
            }
            ok(here, "ann", Json.object().put("watch", watch).put("end", true));
            assertEquals(0, ok(there, "ann", Json.object()).size(), "ended here, gone there");
            assertTrue(client(there, "ann")
                    .call("watch_search", Json.object().put("watch", watch))
                    .isError());
        }
        assertEquals("0", postgres.sql("SELECT count(*) FROM " + schema + ".watch WHERE body IS NOT NULL"));
    }

    @Test
    void subscribersOfEachGatewayAreToldOnceOfWhatAnyGatewayStored() throws IOException {
        List<TestGateway> both = two();
        TestGateway one = both.getFirst();
        TestGateway two = both.getLast();
        String grain = ask(one, "ann", "grain");
        String last = ask(two, "ann", "lighthouse");
        both.forEach(
                gateway -> assertEquals(2, ok(gateway, "ann", Json.object()).size()));
        try (RawHttp modernOne = asker(one, "ann").listening(grain, last);
                RawHttp modernTwo = asker(two, "ann").listening(grain, last);
                RawHttp legacyOne = asker(one, "ann").session(one.url(), grain, last);
                RawHttp legacyTwo = asker(two, "ann").session(two.url(), grain, last);
                RawHttp moved = asker(two, "ann").session(one.url(), grain, last);
                RawHttp bob = asker(two, "bob").listening(grain, last)) {
            List<RawHttp> streams = List.of(modernOne, modernTwo, legacyOne, legacyTwo, moved);
            ingest(two, "canal", "Grain goes by canal.");
            streams.forEach(stream -> stream.readUntil(Asker.updated(grain)));
            ingest(one, "silo", "Grain is in the silo.");
            both.forEach(gateway -> news(gateway, "ann", grain, 2));
            ingest(two, "light", "The lighthouse is red.");
            both.forEach(gateway -> assertEquals(
                    "light",
                    news(gateway, "ann", last, 1).at("/news/0/title").asText(),
                    () -> read(gateway, "ann", last).toString()));
            streams.forEach(stream -> stream.readUntil(Asker.updated(last)));
            ask(one, "bob", "coal");
            bob.readUntil("list_changed");
            gateways.values().forEach(TestGateway::close);
            for (RawHttp stream : streams) {
                String seen = stream.readAll();
                int atFirst = stream == moved ? 1 : 0; // who has moved is told to read all again
                assertEquals(2 + atFirst, Asker.updates(seen, grain), seen);
                assertEquals(1 + atFirst, Asker.updates(seen, last), seen);
            }
            assertEquals(0, Asker.updates(bob.readAll(), grain), "another key of the same team");
        }
    }

    @Test
    void atOnceOnBothNothingIsLostAndTheBoundHolds() throws IOException, InterruptedException {
        List<TestGateway> both = two();
        String watch = ask(both.getFirst(), "eve", "grain");
        List<Boolean> created = Collections.synchronizedList(new ArrayList<>());
        List<Throwable> problems = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int number = thread;
            TestGateway gateway = both.get(thread % 2);
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 5; i++) {
                    ingest(gateway, "many " + number + " " + i, "Grain of the sort " + number + " " + i + ".");
                    read(gateway, "eve", watch);
                }
            }));
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 2; i++) {
                    created.add(!client(gateway, number < 2 ? "ann" : "bob")
                            .call("watch_search", Json.object().put("query", "nothing"))
                            .isError());
                }
            }));
        }
        threads.forEach(thread -> thread.setUncaughtExceptionHandler((_, problem) -> problems.add(problem)));
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), problems);
        assertEquals(3, created.stream().filter(done -> done).count(), "as many as the bound of the team allows");
        assertEquals(8, created.size());
        news(both.getFirst(), "eve", watch, 20);
        news(both.getLast(), "eve", watch, 20);
    }
}
