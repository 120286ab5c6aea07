package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.ApiKey;
import switchboard.testing.AskedClient;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.NosyProgram;
import switchboard.testing.fixture.NosyProgram.Habit;

/**
 * A program that asks or talks for a call that is over, while somebody else's call is the only one under way: nobody is
 * shown its questions, and it gets nobody's answer.
 */
class QuestionsOfProgramsTest {
    private static final String MINE = "what only the second knows";

    @TempDir
    private Path folder;

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey scarlet = ApiKey.generate(new SecureRandom());
    private final ApiKey crimson = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final ApiKey green = ApiKey.generate(new SecureRandom());
    private final List<AskedClient> clients = new ArrayList<>();
    private TestGateway gateway;

    @AfterEach
    void stop() {
        clients.forEach(AskedClient::close);
        gateway.close();
    }

    private void start(Habit habit, String more) throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: r, sha256: %s}, {id: s, sha256: %s}, {id: t, sha256: %s}], grants: ["*:*"]}
                  blue: {keys: [{id: b, sha256: %s}], grants: ["*:*"]}
                  green: {keys: [{id: g, sha256: %s}], grants: ["*:*"]}
                """.formatted(
                        red.sha256(), scarlet.sha256(), crimson.sha256(), blue.sha256(), green.sha256()));
        gateway = TestGateway.start(
                """
                auth: {mode: keys}
                backends:
                  nosy: { type: mcp, era: legacy, command: [%s]%s }
                """.formatted(quoted(NosyProgram.command(habit, folder.resolve("heard"))), more), folder);
        McpTestClient client = gateway.modern("nosy").with("X-API-Key", red.text());
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> client.toolNames().contains("hold"),
                () -> "its tools were never listed");
    }

    private static String quoted(List<String> command) {
        return command.stream().map(word -> "\"" + word + "\"").collect(Collectors.joining(", "));
    }

    private AskedClient client(ApiKey key, String answer) {
        URI url = gateway.url("nosy");
        AskedClient client = new AskedClient(url, Map.of("X-API-Key", key.text()), answer);
        clients.add(client);
        return client;
    }

    private List<String> heard() {
        return new GrowingFile(folder.resolve("heard")).lines();
    }

    private AskedClient.Call held(AskedClient client) {
        long before = heard().stream().filter("held"::equals).count();
        AskedClient.Call call = client.call("hold");
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> heard().stream().filter("held"::equals).count() > before,
                () -> "it never came");
        return call;
    }

    private static boolean alive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
    }

    @ParameterizedTest
    @EnumSource(Habit.class)
    void whereAllShareAProcessNobodyIsAskedForACallThatIsOver(Habit habit) throws IOException {
        start(habit, ", isolation: shared");
        AskedClient first = client(red, "of the first");
        AskedClient second = client(blue, MINE);
        AskedClient.Call cancelled = held(first);
        AskedClient.Call other = held(second);
        assertEquals(first.call("pid").text(), second.call("pid").text());

        first.cancel(cancelled);
        if (habit.asks()) {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> heard().stream().anyMatch(line -> line.contains("error")),
                    () -> "no refusal");
        }
        second.call("release").text();
        assertEquals("released", other.text());
        assertEquals(List.of(), first.heard());
        assertEquals(List.of(), second.heard());
        assertFalse(heard().toString().contains(MINE), () -> heard().toString());
    }

    @ParameterizedTest
    @EnumSource(Habit.class)
    void otherwiseEachHasAProcessAndThatOfACancelledCallIsEnded(Habit habit) throws IOException {
        start(habit, "");
        AskedClient first = client(red, "of the first");
        AskedClient second = client(blue, MINE);
        String firstPid = first.call("pid").text();
        String secondPid = second.call("pid").text();
        assertNotEquals(firstPid, secondPid);
        AskedClient.Call cancelled = held(first);
        AskedClient.Call other = held(second);

        first.cancel(cancelled);
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> !alive(firstPid), () -> "the process of the cancelled call goes on");
        String next = first.call("pid").text();
        assertNotEquals(firstPid, next);
        assertNotEquals(secondPid, next);
        second.call("release").text();
        assertEquals("released", other.text());
        assertEquals(secondPid, second.call("pid").text());
        assertEquals(List.of(), first.heard());
        assertEquals(List.of(), second.heard());
        assertFalse(heard().toString().contains(MINE), () -> heard().toString());
    }

    @ParameterizedTest
    @EnumSource(Habit.class)
    void aQuestionForACancelledCallIsNotTakenForTheOtherOneOfTheSameCaller(Habit habit) throws IOException {
        start(habit, "");
        AskedClient first = client(red, MINE);
        String pid = first.call("pid").text();
        AskedClient.Call cancelled = held(first);
        AskedClient.Call other = held(first);
        first.cancel(cancelled);
        if (habit.asks()) {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> heard().stream().anyMatch(line -> line.contains("error")),
                    () -> "no refusal");
        }
        assertNotEquals(pid, first.call("pid").text());
        assertTrue(alive(pid), "a call is under way there");
        assertEquals(List.of(), first.heard());
        assertFalse(heard().toString().contains(MINE), () -> heard().toString());
        first.cancel(other);
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> !alive(pid), () -> "it goes on though nothing is under way there");
    }

    @Test
    void aCallThatTakesTooLongEndsTheProcessToo() throws IOException {
        start(Habit.FORM_AFTER_CANCELLATION, ", callTimeout: 1s");
        AskedClient first = client(red, MINE);
        String pid = answered(first);
        Eventually.first(
                Eventually.OF_A_PROCESS,
                () -> first.call("hold").answer().toString(),
                said -> said.contains("TIMEOUT"));
        Eventually.within(Eventually.OF_A_PROCESS, () -> !alive(pid), () -> "it goes on");
        assertNotEquals(pid, answered(first));
        assertEquals(List.of(), first.heard());
    }

    /** Its process, however long that takes to start. */
    private static String answered(AskedClient client) {
        return Eventually.first(
                Eventually.OF_A_PROCESS, () -> client.call("pid").text(), text -> text.matches("\\d+"));
    }

    @Test
    void theQuestionOfTheOnlyCallIsAskedAndAnswered() throws IOException {
        start(Habit.FORM_AFTER_CANCELLATION, "");
        AskedClient first = client(red, "of the first");
        AskedClient second = client(blue, MINE);
        AskedClient.Call other = held(second);
        assertTrue(first.call("ask").text().contains("of the first"));
        assertEquals(1, first.heard().size());
        assertEquals(List.of(), second.heard());
        second.cancel(other);
    }

    @Test
    void processesAreBoundedAndAnIdleOneMakesRoom() throws IOException {
        start(Habit.FORM_AFTER_CANCELLATION, ", process: {most: 2}");
        AskedClient first = client(red, MINE);
        AskedClient second = client(blue, MINE);
        AskedClient third = client(green, MINE);
        AskedClient.Call one = held(first);
        AskedClient.Call two = held(second);
        String refusal = third.call("pid").answer().toString();
        assertTrue(refusal.contains("OVERLOADED") && refusal.contains("All 2 processes of nosy"), refusal);

        String idle = first.call("pid").text();
        first.call("release").text();
        assertEquals("released", one.text());
        String other = third.call("pid").text();
        assertNotEquals(idle, other);
        Eventually.within(Eventually.OF_A_PROCESS, () -> !alive(idle), () -> "the idle process goes on");
        second.call("release").text();
        assertEquals("released", two.text());
        assertNotEquals(idle, first.call("pid").text());
    }

    @Test
    void aTeamHasItsShareOfTheProcessesAndItsIdleOnesMakeRoomForIt() throws IOException {
        start(Habit.FORM_AFTER_CANCELLATION, ", process: {most: 4}");
        AskedClient first = client(red, MINE);
        AskedClient second = client(scarlet, MINE);
        AskedClient third = client(crimson, MINE);
        AskedClient.Call one = held(first);
        AskedClient.Call two = held(second);
        String refusal = third.call("pid").answer().toString();
        assertTrue(
                refusal.contains("OVERLOADED") && refusal.contains("All 2 processes of nosy that one team may have"),
                refusal);
        assertTrue(refusal.contains("retryAfterMs"), refusal);

        AskedClient other = client(blue, MINE);
        String others = other.call("pid").text();
        String idle = first.call("pid").text();
        first.call("release").text();
        assertEquals("released", one.text());
        assertNotEquals(idle, third.call("pid").text());
        Eventually.within(Eventually.OF_A_PROCESS, () -> !alive(idle), () -> "the idle process goes on");
        assertEquals(others, other.call("pid").text());
        second.call("release").text();
        assertEquals("released", two.text());
    }

    /** A process that is kept for calls under way only counts, too: giving up calls makes no room for more of them. */
    @Test
    void processesThatTakeNoFurtherCallsCount() throws IOException {
        start(Habit.FORM_AFTER_CANCELLATION, ", process: {most: 4}");
        AskedClient first = client(red, MINE);
        for (int i = 0; i < 2; i++) {
            AskedClient.Call kept = held(first);
            AskedClient.Call given = held(first);
            String pid = first.call("pid").text();
            first.cancel(given);
            if (i == 0) {
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> !pid.equals(first.call("pid").text()),
                        () -> "it takes further calls");
            } else {
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> first.call("pid")
                                .answer()
                                .toString()
                                .contains("All 2 processes of nosy that one caller may have"),
                        () -> "there is a third process of one caller");
            }
            assertFalse(kept.response().isDone());
            assertTrue(alive(pid));
        }
        client(blue, MINE).call("pid").text();
    }

    @Test
    void aProcessThatNobodyNeedsIsEnded() throws IOException {
        start(Habit.FORM_AFTER_CANCELLATION, ", process: {idle: 1s}");
        AskedClient first = client(red, MINE);
        AskedClient second = client(blue, MINE);
        String lists = first.call("pid").text();
        String own = second.call("pid").text();
        Eventually.within(Eventually.OF_A_PROCESS, () -> !alive(own), () -> "the idle process goes on");
        assertTrue(alive(lists), "the lists are read from this one");
        gateway.close();
        assertFalse(alive(lists), "it outlives the gateway");
    }
}
