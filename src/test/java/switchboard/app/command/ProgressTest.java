package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How far long work is: readable on every terminal, and few lines where there is none. */
class ProgressTest {
    private static final String LONG = "a/path/of/many/folders/".repeat(10) + "the file.md";

    private final StringWriter written = new StringWriter();
    private final PrintWriter err = new PrintWriter(written);
    private long now;

    private List<String> drawn() {
        return List.of(written.toString().strip().split("\r\033\\[K"));
    }

    @Test
    void eightyColumnsShowTheTaskABarTheCountTheTimeAndTheEndOfThePath() {
        String line = new ProgressLine("Ingesting", 21, 50, LONG, 83L).in(80);
        assertTrue(line.startsWith("Ingesting [########            ]  42% 21/50, 1:23 left ..."), line);
        assertTrue(line.endsWith("/the file.md"), line);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 10, 20, 40, 60, 80, 200})
    void noTerminalIsTooNarrow(int columns) {
        for (String what : List.of("", "x", LONG, "数据".repeat(50), "\033[2J\r\n\u202e".repeat(20), "\ud800")) {
            for (String task : List.of("Ingesting", "updating " + LONG, "数据")) {
                for (long total : List.of(0L, 7L, 1_000_000L)) {
                    String line = new ProgressLine(task, 7, total, what, 5L).in(columns);
                    assertTrue(ProgressLine.columnsOf(line) < columns, () -> columns + ": " + line);
                    assertTrue(line.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x202e), line);
                    assertTrue(columns < 10 || line.contains("7"), () -> columns + ": " + line);
                }
            }
        }
    }

    @Test
    void theLineIsWrittenAgainTenTimesASecondAndFollowsTheTerminal() {
        Progress.Bar bar = new Progress.Bar("Ingesting", 1_000, err, 80, () -> now);
        for (int i = 0; i < 500; i++) {
            now += 10_000_000;
            bar.step(LONG);
        }
        assertEquals("500 of 1000", bar.soFar());
        assertTrue(drawn().size() <= 52, () -> drawn().size() + " in five seconds");
        assertTrue(drawn().getLast().contains(" left ..."), drawn().getLast());
        bar.resize(30);
        bar.close();
        assertTrue(drawn().getLast().length() < 30, drawn().getLast());
        String all = written.toString();
        bar.step("more");
        bar.close();
        assertEquals(all, written.toString());
    }

    @Test
    void theTimeThatIsLeftIsShownOnceItCanBeEstimated() {
        Progress.Bar bar = new Progress.Bar("Ingesting", 100, err, 80, () -> now);
        for (int step = 1; step <= 100; step++) {
            now += 100_000_000;
            bar.step("");
            String line = drawn().getLast();
            if (step <= 10 || step == 100) {
                assertFalse(line.contains("left"), line); // no second is over yet; nothing is left
            } else {
                assertTrue(line.endsWith(", 0:0" + (100 - step) / 10 + " left"), line);
            }
        }
        Progress.Bar slow = new Progress.Bar("Ingesting", 100, err, 80, () -> now);
        for (int step = 1; step <= 6; step++) {
            now += 60_000_000_000L;
            slow.step("");
            String line = drawn().getLast();
            assertEquals(step > 5, line.endsWith(", 1:34:00 left"), line);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0:00", "59, 0:59", "60, 1:00", "3599, 59:59", "3600, 1:00:00", "36061, 10:01:01"})
    void timesHaveHoursOnlyIfThereAreAny(long seconds, String time) {
        assertEquals(
                "Ingesting [##########          ]  50% 1/2, " + time + " left a.md",
                new ProgressLine("Ingesting", 1, 2, "a.md", seconds).in(80));
    }

    @Test
    void inAFileThereIsALineForEachTenthOrForEachDoubling() {
        Progress.Lines known = new Progress.Lines("Ingesting", 50, err);
        for (int i = 0; i < 50; i++) {
            known.step("x");
        }
        assertEquals(
                IntStream.concat(IntStream.of(1), IntStream.rangeClosed(1, 10).map(n -> 5 * n))
                        .mapToObj(n -> "Ingesting " + n + "/50 x")
                        .toList(),
                written.toString().lines().toList());
        assertEquals("50 of 50", known.soFar());
        written.getBuffer().setLength(0);
        Progress.Lines unknown = new Progress.Lines("Importing", 0, err);
        for (int i = 0; i < 20; i++) {
            unknown.step("");
        }
        assertEquals(
                List.of("Importing 1", "Importing 2", "Importing 4", "Importing 8", "Importing 16"),
                written.toString().lines().toList());
        assertEquals("20", unknown.soFar());
        unknown.end();
        unknown.at(1_000, 0, "");
        assertEquals(5, written.toString().lines().count());
    }

    @Test
    void eachStageIsShownByItself() {
        try (StagedProgress staged = new StagedProgress(err)) {
            assertEquals("nothing is done", staged.soFar());
            staged.at("Indexing", 1, 2);
            staged.at("Indexing", 2, 2);
            assertEquals("Indexing, 2 of 2", staged.soFar());
            staged.at("Asking", 1, 3);
            assertEquals("Asking, 1 of 3", staged.soFar());
            staged.end();
            staged.at("Asking", 3, 3);
        }
        assertEquals(
                List.of("Indexing 1/2", "Indexing 2/2", "Asking 1/3"),
                written.toString().lines().toList());
    }

    @Test
    void whatHasNotBegunShowsNothing() {
        new Progress.Bar("Ingesting", 10, err, 80, () -> now).close();
        new Progress.Lines("Ingesting", 10, err).close();
        assertEquals("", written.toString());
    }

    @Test
    void withoutATerminalThereAreFewLinesAndNothingOfTerminals() {
        Progress.Lines known = new Progress.Lines("Ingesting", 10_000, err);
        Progress.Lines unknown = new Progress.Lines("Importing", 0, err);
        for (int i = 0; i < 10_000; i++) {
            known.step("x");
            unknown.step("x");
        }
        List<String> lines = written.toString().lines().toList();
        assertTrue(lines.size() <= 11 + 15, lines::toString);
        assertTrue(lines.contains("Ingesting 10000/10000 x"), lines::toString);
        assertTrue(written.toString().chars().noneMatch(c -> c == '\r' || c == 033));
    }
}
