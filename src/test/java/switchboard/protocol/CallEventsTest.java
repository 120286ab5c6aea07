package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.call.BackendEvent;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.call.Json;
import switchboard.call.LogLevel;

/** What a caller hears of its call while it runs. */
class CallEventsTest {
    private static final JsonNode TOKEN = TextNode.valueOf("p");
    private final List<String> heard = new ArrayList<>();

    private CallEvents events(@Nullable JsonNode token, @Nullable LogLevel level) {
        return new CallEvents(
                (method, params, urgency) -> heard.add(method + " " + Json.text(params) + " " + urgency), token, level);
    }

    private static BackendEvent.CallProgress progress(double done, @Nullable Double total) {
        return new BackendEvent.CallProgress(done, total, null);
    }

    @Test
    void progressOnlyGrowsAndIsWrittenAsItWouldBeByHand() {
        CallEvents events = events(TOKEN, null);
        for (double done : new double[] {0, 0.5, 0.5, 0.25, 50, 49.9, 100, 1e7, Double.NaN}) {
            events.accept(progress(done, done == 0.5 ? 200.0 : null));
        }
        assertEquals(
                List.of(
                        "notifications/progress {\"progressToken\":\"p\",\"progress\":0} LATEST",
                        "notifications/progress {\"progressToken\":\"p\",\"progress\":0.5,\"total\":200} LATEST",
                        "notifications/progress {\"progressToken\":\"p\",\"progress\":50} LATEST",
                        "notifications/progress {\"progressToken\":\"p\",\"progress\":100} LATEST",
                        "notifications/progress {\"progressToken\":\"p\",\"progress\":10000000} LATEST"),
                heard);
    }

    @ParameterizedTest
    @EnumSource(LogLevel.class)
    void aLogEventIsHeardFromTheWantedLevelOn(LogLevel level) {
        CallEvents events = events(null, LogLevel.NOTICE);
        events.accept(new BackendEvent.Log(level, "engine", Json.object().put("a", 1)));
        assertEquals(
                level.ordinal() < LogLevel.NOTICE.ordinal()
                        ? List.of()
                        : List.of("notifications/message {\"level\":\"" + level.word()
                                + "\",\"logger\":\"engine\",\"data\":{\"a\":1}} KEEP"),
                heard);
    }

    @Test
    void whoAskedForNothingHearsNothingAndNobodyHearsOfListsHere() {
        CallEvents events = events(null, null);
        events.accept(progress(1, null));
        events.accept(new BackendEvent.Log(LogLevel.EMERGENCY, null, TextNode.valueOf("x")));
        events(TOKEN, LogLevel.DEBUG).accept(new BackendEvent.ListChanged(ListType.TOOLS));
        assertEquals(List.of(), heard);
    }

    @Test
    void nothingFollowsTheAnswer() {
        CallEvents events = events(TOKEN, LogLevel.DEBUG);
        events.accept(new BackendEvent.Log(LogLevel.DEBUG, null, TextNode.valueOf("x")));
        assertEquals(List.of("notifications/message {\"level\":\"debug\",\"data\":\"x\"} KEEP"), heard);
        heard.clear();
        events.end();
        events.accept(progress(2, null));
        events.accept(new BackendEvent.Log(LogLevel.DEBUG, null, TextNode.valueOf("x")));
        assertEquals(List.of(), heard);
    }
}
