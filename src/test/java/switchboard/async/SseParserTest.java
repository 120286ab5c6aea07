package switchboard.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseParserTest {
    private final List<String> events = new ArrayList<>();
    private final SseParser parser = new SseParser(64, event -> events.add(event.id() + " " + event.data()));

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void eventsAreTheSameHoweverLinesEndAndWhereverPiecesAreCut(String end) {
        String stream = String.join(
                end,
                "\uFEFF: a comment",
                "event: message",
                "id: 7",
                "data: Zürich",
                "data:  two spaces, of which one belongs to it",
                "",
                "retry: 250",
                "data",
                "",
                "data:last",
                "id: 8",
                "",
                "");
        byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
        List<String> expected = List.of("7 Zürich\n two spaces, of which one belongs to it", "7 ", "8 last");
        for (int size = 1; size <= bytes.length; size++) {
            events.clear();
            SseParser pieces = new SseParser(64, event -> events.add(event.id() + " " + event.data()));
            for (int from = 0; from < bytes.length; from += size) {
                pieces.take(Buffer.buffer(bytes).slice(from, Math.min(bytes.length, from + size)));
            }
            assertEquals(expected, events, "pieces of " + size + " bytes");
            assertEquals("8", pieces.lastId());
            assertEquals(250, pieces.retryMs());
        }
    }

    @Test
    void anEventThatTheStreamEndsInTheMiddleOfIsLeftOut() {
        parser.take(Buffer.buffer("data: whole\n\ndata: half\n"));

        assertEquals(List.of("null whole"), events);
    }

    @Test
    void aStreamThatIsResumedGoesOnAfterTheLastEventThatArrivedCompletely() {
        byte[] bytes = "id: 1\ndata: a\n\nid: 2\ndata: b\ndata: c\n\n".getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            List<String> seen = new ArrayList<>();
            SseParser cutShort = new SseParser(64, event -> seen.add(event.id() + " " + event.data()));
            cutShort.take(Buffer.buffer(bytes).slice(0, cut));
            int from = cutShort.lastId() == null
                    ? 0
                    : "id: 1\ndata: a\n\n".length() * (cutShort.lastId().equals("1") ? 1 : bytes.length);
            cutShort.resumed();
            cutShort.take(Buffer.buffer(bytes).slice(Math.min(from, bytes.length), bytes.length));
            assertEquals(List.of("1 a", "2 b\nc"), seen, "cut after " + cut + " bytes");
        }
    }

    @Test
    void anEventWithoutDataIsNone() {
        parser.take(Buffer.buffer("id: 1\n\nevent: x\n\n: x\n\n"));

        assertEquals(List.of(), events);
        assertEquals("1", parser.lastId());
        assertEquals(-1, parser.retryMs());
    }

    @Test
    void whatNoServerMaySendInAFieldIsNotTaken() {
        parser.take(Buffer.buffer("id: a\0b\nretry: soon\nDATA: x\ndata: y\n\n"));

        assertEquals(List.of("null y"), events);
        assertEquals(-1, parser.retryMs());
    }

    @Test
    void lineAndEventHaveABound() {
        assertThrows(SseParser.TooLarge.class, () -> parser.take(Buffer.buffer("x".repeat(65))));

        SseParser another = new SseParser(64, _ -> {});
        another.take(Buffer.buffer("data: " + "x".repeat(50) + "\n"));
        assertThrows(SseParser.TooLarge.class, () -> another.take(Buffer.buffer("data: " + "x".repeat(50) + "\n")));
    }
}
