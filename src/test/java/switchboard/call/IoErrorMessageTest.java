package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What people are told of an I/O failure. */
class IoErrorMessageTest {
    @Test
    void theSystemCallIsLeftOut() {
        assertEquals(
                "Address already in use",
                IoErrorMessage.of(new IOException("bind(..) failed with error(-98): Address already in use")));
        assertEquals(
                "Connection refused: localhost/127.0.0.1:5432",
                IoErrorMessage.of(new IOException(
                        "finishConnect(..) failed with error(-111): Connection refused: localhost/127.0.0.1:5432")));
    }

    @Test
    void everythingElseStays() {
        assertEquals("the pipe (..) failed", IoErrorMessage.of(new IOException("the pipe (..) failed")));
        assertEquals("EOFException", IoErrorMessage.of(new EOFException()));
    }
}
