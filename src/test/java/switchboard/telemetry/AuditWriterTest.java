package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.testing.Eventually;
import switchboard.testing.logs.AsksForErrors;

class AuditWriterTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final FlakySink sink = new FlakySink();

    @Test
    void linesComeInTheirOrderAndAllOfThemAreThereAfterClosing() {
        try (AuditWriter writer = new AuditWriter(sink, 1_000_000, meters)) {
            IntStream.range(0, 2_000).forEach(i -> put(writer, 10, Integer.toString(i)));
        }
        assertEquals(IntStream.range(0, 2_000).mapToObj(Integer::toString).toList(), sink.lines);
        assertTrue(sink.closed);
    }

    @AsksForErrors("AuditWriter - the audit log")
    @Test
    void whileTheSinkFailsLinesWaitAndTheyComeOnceItWorks() {
        sink.failing = true;
        try (AuditWriter writer = new AuditWriter(sink, 1_000, meters)) {
            put(writer, 10, "a");
            Eventually.that(() -> writer.problem().isPresent(), () -> "the failure is noticed");
            assertFalse(writer.keepsUp());
            assertEquals(1, meters.get(MetricNames.AUDIT_FAILING).gauge().value());
            put(writer, 10, "b");
            sink.failing = false;
            Eventually.that(writer::keepsUp, () -> "it has recovered");
            assertEquals(Optional.empty(), writer.problem());
        }
        assertEquals(List.of("a", "b"), sink.lines);
        assertTrue(meters.get(MetricNames.AUDIT_FAILURES).counter().count() >= 1);
        assertEquals(0, meters.get(MetricNames.AUDIT_LOST).counter().count());
    }

    @AsksForErrors("AuditWriter - .*the audit log")
    @Test
    void whatDoesNotFitIsLostAndCounted() {
        sink.failing = true;
        try (AuditWriter writer = new AuditWriter(sink, 100, meters)) {
            IntStream.range(0, 5).forEach(i -> put(writer, 30, Integer.toString(i)));
            assertEquals(2, meters.get(MetricNames.AUDIT_LOST).counter().count());
            assertFalse(writer.keepsUp());
            sink.failing = false;
            Eventually.that(writer::keepsUp, () -> "it has recovered");
            put(writer, 100, "5");
        }
        assertEquals(List.of("0", "1", "2", "5"), sink.lines);
    }

    @Test
    void aWriterWithMoreThanHalfItsRoomTakenDoesNotKeepUp() {
        CountDownLatch gate = new CountDownLatch(1);
        try (AuditWriter writer = new AuditWriter(sink, 100, meters)) {
            writer.write(60, () -> {
                await(gate);
                return bytes("slow");
            });
            assertFalse(writer.keepsUp());
            assertEquals(Optional.empty(), writer.problem());
            gate.countDown();
            Eventually.that(writer::keepsUp, () -> "there is room again");
        }
    }

    @AsksForErrors("AuditWriter - a line of the audit log could not be made")
    @Test
    void aLineThatCantBeMadeIsCountedAndTheNextOnesCome() {
        try (AuditWriter writer = new AuditWriter(sink, 1_000, meters)) {
            writer.write(10, () -> {
                throw new IllegalStateException("broken");
            });
            put(writer, 10, "next");
            Eventually.that(() -> sink.lines.size() == 1, () -> "the next one has come");
            put(writer, 1_000, "as large as all the room");
        }
        assertEquals(List.of("next", "as large as all the room"), sink.lines);
        assertEquals(1, meters.get(MetricNames.AUDIT_LOST).counter().count());
    }

    @AsksForErrors("AuditWriter - .*the audit log")
    @Test
    void whatCouldNotBeWrittenBeforeTheEndIsCounted() {
        sink.failing = true;
        AuditWriter writer = new AuditWriter(sink, 1_000, meters);
        put(writer, 10, "a");
        put(writer, 10, "b");
        writer.close();
        assertEquals(2, meters.get(MetricNames.AUDIT_LOST).counter().count());
    }

    private static void put(AuditWriter writer, int bytes, String line) {
        writer.write(bytes, () -> bytes(line));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class FlakySink implements AuditSink {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private volatile boolean failing;
        private volatile boolean closed;

        @Override
        public void write(List<byte[]> batch) throws IOException {
            if (failing) {
                throw new IOException("no space left");
            }
            List<String> texts = new ArrayList<>();
            batch.forEach(line -> texts.add(new String(line, StandardCharsets.UTF_8)));
            lines.addAll(texts);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
