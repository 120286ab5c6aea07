package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.config.Secret;

/** What is left of an engine's words when its credentials and the addresses in them are taken out. */
class ScrubberTest {
    @Test
    void credentialsGoBeforeAddressesDo() {
        Scrubber scrubber = new Scrubber(List.of(Secret.of("scheme://first (second-half)")));
        assertEquals("no: ***", scrubber.scrub("no: scheme://first (second-half)"));
        assertEquals(
                "see <url> or <url> but not a:b",
                scrubber.scrub("see http://10.0.0.1:9/x?key=1 or FTP://h but not a:b"));
    }
}
