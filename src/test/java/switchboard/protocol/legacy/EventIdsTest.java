package switchboard.protocol.legacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.session.SessionStore;

/** What ids of events say, also those that a client has made itself. */
class EventIdsTest {
    private static final String HERE = "0123456789ab";
    private static final String THERE = "ba9876543210";
    private static final EventIds IDS = new EventIds("session", HERE);
    private static final JsonNode REQUEST = TextNode.valueOf("größer");

    @Test
    void theyNameTheNodeAndTheRequest() {
        String id = "3-7" + new EventIds("session", THERE).suffix(3, REQUEST);
        EventIds.EventPlace place = IDS.read(id).orElseThrow();
        assertEquals(new ReplayBuffer.EventId(3, 7), place.event());
        EventIds.Elsewhere elsewhere = assertNotNullValue(place.elsewhere());
        assertEquals(THERE, elsewhere.node());
        assertEquals(REQUEST, elsewhere.request());
        assertEquals(id, "3-7" + elsewhere.suffix());
    }

    private static <T> T assertNotNullValue(T value) {
        assertNotNull(value);
        return value;
    }

    @Test
    void anIdOfThisNodeIsNotElsewhere() {
        assertNull(IDS.read("3-7" + IDS.suffix(3, REQUEST)).orElseThrow().elsewhere());
    }

    @Test
    void idsOfAnotherSessionOrStreamAreNone() {
        String suffix = new EventIds("session", THERE).suffix(3, REQUEST);
        assertEquals(Optional.empty(), new EventIds("other", HERE).read("3-7" + suffix));
        assertEquals(Optional.empty(), IDS.read("4-7" + suffix));
        assertEquals(Optional.empty(), IDS.read("3-7" + suffix.replace(THERE, "ffffffffffff")));
    }

    /** A client knows its session, so it can make ids with any request in them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "_w",
                "e30",
                "W10",
                "bnVsbA",
                "A",
                "IiI",
                "InVuZmluaXNoZWQ",
                "_____w",
                "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"
            })
    void whatIsNoIdOfARequestIsLeftOut(String request) {
        String digest = SessionStore.key("session.3." + THERE + "." + request).substring(0, 11);
        EventIds.Elsewhere elsewhere = assertNotNullValue(IDS.read("3-7." + THERE + "." + request + "." + digest)
                .orElseThrow()
                .elsewhere());
        JsonNode read = elsewhere.request();
        assertTrue(read.isMissingNode() || read.isTextual() || read.isNumber(), read::toString);
        assertTrue(
                read.isMissingNode()
                        || read.isNumber()
                                == Character.isDigit(Base64.getUrlDecoder().decode(request)[0]),
                read::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "3",
                "3-",
                "3-7.",
                "3-7..",
                "3-7.x.y.z",
                "99999999999999999999-1",
                "-1--1",
                "3-7\u0000",
                "٣-٧"
            })
    void whatIsNoIdIsNone(String id) {
        assertEquals(Optional.empty(), IDS.read(id));
    }
}
