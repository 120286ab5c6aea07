package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumerBodyStreamTest {
    private final List<Buffer> taken = new ArrayList<>();
    private final ConsumerBodyStream stream = new ConsumerBodyStream(taken::add);

    @Test
    void aPieceIsTakenAtOnceSoItIsNeverFull() {
        for (int i = 0; i < 1_000; i++) {
            assertTrue(stream.write(Buffer.buffer("piece " + i)).succeeded());
            assertFalse(stream.writeQueueFull());
        }
        assertEquals(1_000, taken.size());
        assertEquals(Buffer.buffer("piece 999"), taken.getLast());
        assertFalse(stream.result().isComplete());
    }

    @Test
    void itIsOverWithTheLastPieceAndStaysSo() {
        assertTrue(stream.end().succeeded());
        assertTrue(stream.result().succeeded());
        stream.handle(new IOException("too late"));
        assertTrue(stream.result().succeeded());
    }

    @Test
    void anAnswerThatBreaksOffFails() {
        IOException broken = new IOException("broken");
        stream.handle(broken);
        assertSame(broken, stream.result().cause());
        assertSame(broken, stream.end().cause());
    }

    @Test
    void itsSettingsAreFluent() {
        assertSame(stream, stream.setWriteQueueMaxSize(1).drainHandler(null).exceptionHandler(null));
    }
}
