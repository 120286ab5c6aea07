package switchboard.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.protocol.ReplySink.Urgency;
import switchboard.text.LineReader;

/** Lines of standard input and output, at the edges of their bounds. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LinesTest {
    /** What reads {@code input} line by line, each as its text, {@code "too long"} or {@code "end"}. */
    private static List<String> read(String input, int limit) throws IOException {
        LineReader reader = new LineReader(new ByteArrayInputStream(input.getBytes(UTF_8)), limit);
        List<String> lines = new ArrayList<>();
        while (lines.isEmpty() || !lines.getLast().equals("end")) {
            lines.add(
                    switch (reader.next()) {
                        case LineReader.ReadResult.TextLine(byte[] bytes) -> new String(bytes, UTF_8);
                        case LineReader.ReadResult.TooLong _ -> "too long";
                        case LineReader.ReadResult.EndOfInput _ -> "end";
                    });
        }
        return lines;
    }

    @Test
    void aLineMayBeAsLongAsTheLimitAndNoLonger() throws IOException {
        assertEquals(List.of("12345", "end"), read("12345\n", 5));
        assertEquals(List.of("too long", "12345", "end"), read("123456\n12345\n", 5));
        assertEquals(List.of("too long", "end"), read("123456", 5));
    }

    @Test
    void aLineMayEndWithTheInput() throws IOException {
        assertEquals(List.of("a", "b", "end"), read("a\nb", 5));
    }

    @Test
    void blankLinesAreSkippedAndOthersAreNot() throws IOException {
        assertEquals(List.of("a", " b", "end"), read("\n \t\r\na\n\n b\n\r\n", 5));
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheLine() throws IOException {
        assertEquals(List.of("{}", "end"), read("\uFEFF{}\n", 8));
        assertEquals(List.of("a\uFEFF", "end"), read("a\uFEFF\n", 8));
        assertEquals(List.of("end"), read("\uFEFF\n", 8));
    }

    /** Takes nothing before {@link #open}. */
    private static final class Gated extends OutputStream {
        private final CountDownLatch gate = new CountDownLatch(1);
        private final CountDownLatch reached = new CountDownLatch(1);
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            reached.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            taken.write(bytes, offset, length);
        }
    }

    private final Gated out = new Gated();

    /** A writer of at most ten bytes whose reader takes nothing, with {@code first} in the reader's hands. */
    private LineWriter stuck(String first) throws InterruptedException {
        LineWriter writer = new LineWriter(out, 10);
        writer.write(first.getBytes(UTF_8), Urgency.KEEP);
        out.reached.await();
        return writer;
    }

    private static void keep(LineWriter writer, String line) {
        writer.write(line.getBytes(UTF_8), Urgency.KEEP);
    }

    private static void latest(LineWriter writer, String line) {
        writer.write(line.getBytes(UTF_8), Urgency.LATEST);
    }

    private String written(LineWriter writer) throws Exception {
        out.gate.countDown();
        writer.finish();
        writer.over().await(30, TimeUnit.SECONDS);
        return out.taken.toString(UTF_8);
    }

    @Test
    void asMuchAsTheBoundMayWait() throws Exception {
        LineWriter writer = stuck("123");
        keep(writer, "4567890");
        assertFalse(writer.closed());
        assertEquals("123\n4567890\n", written(writer));
    }

    @Test
    void aReaderForWhomMoreThanTheBoundWaitsIsCutOff() throws Exception {
        LineWriter writer = stuck("123");
        keep(writer, "4567890");
        keep(writer, "1");
        assertTrue(writer.closed());
        out.gate.countDown();
        writer.over().otherwiseEmpty().await(30, TimeUnit.SECONDS);
        assertInstanceOf(IOException.class, writer.over().cause());
    }

    @Test
    void answersWaitAndNoFurtherOnesAreMadeUntilHalfOfTheBoundIsLeft() throws Exception {
        LineWriter writer = stuck("123");
        assertTrue(writer.room().succeeded());
        for (int n = 0; n < 3; n++) {
            writer.write("answer".getBytes(UTF_8), Urgency.ANSWER);
        }
        assertFalse(writer.closed());
        assertFalse(writer.room().isComplete());
        keep(writer, "4567890");
        assertFalse(writer.closed(), "answers take no room of what was not asked for");
        Future<Void> room = writer.room();
        assertEquals("123\nanswer\nanswer\nanswer\n4567890\n", written(writer));
        room.await(30, TimeUnit.SECONDS);
    }

    @Test
    void aReaderThatIsGoneKeepsNothingWaiting() throws Exception {
        LineWriter writer = stuck("123");
        writer.write("a long answer".getBytes(UTF_8), Urgency.ANSWER);
        Future<Void> room = writer.room();
        assertFalse(room.isComplete());
        keep(writer, "1234567");
        keep(writer, "1");
        room.await(30, TimeUnit.SECONDS);
        assertTrue(writer.room().succeeded());
        out.gate.countDown();
    }

    @Test
    void aSingleLineMayBeLongerThanTheBound() throws Exception {
        LineWriter writer = new LineWriter(out, 10);
        keep(writer, "123456789012345");
        assertFalse(writer.closed());
        assertEquals("123456789012345\n", written(writer));
    }

    @Test
    void whatIsWrittenMakesRoom() throws Exception {
        out.gate.countDown();
        LineWriter writer = new LineWriter(out, 10);
        for (int i = 0; i < 20; i++) {
            String line = "line " + i;
            keep(writer, line);
            String end = line + "\n";
            switchboard.testing.Eventually.that(() -> out.taken.toString(UTF_8).endsWith(end), () -> line);
        }
        assertFalse(writer.closed());
        assertTrue(written(writer).endsWith("line 19\n"));
    }

    @Test
    void onlyTheLatestOfSeveralIsWrittenAndNothingOvertakesIt() throws Exception {
        LineWriter writer = stuck("1");
        latest(writer, "a");
        latest(writer, "b");
        keep(writer, "2");
        latest(writer, "c");
        latest(writer, "d");
        assertEquals("1\nb\n2\nd\n", written(writer));
    }

    @Test
    void nothingIsWrittenAfterTheEnd() throws Exception {
        LineWriter writer = stuck("1");
        writer.finish();
        assertTrue(writer.closed());
        keep(writer, "2");
        latest(writer, "3");
        assertEquals("1\n", written(writer));
    }
}
