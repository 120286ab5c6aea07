package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    @Test
    void noFreePortIsGivenTwice() throws IOException {
        Set<Integer> given = new HashSet<>();
        // Of 11,000 ports 500 drawn at random would have the same ones about eleven times.
        for (int number = 0; number < 500; number++) {
            int port = Programs.freePort();
            assertTrue(given.add(port), () -> "once more: " + port);
        }
    }
}
