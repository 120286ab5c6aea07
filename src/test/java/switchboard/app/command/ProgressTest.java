package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
