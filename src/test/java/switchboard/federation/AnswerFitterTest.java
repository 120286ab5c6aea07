package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.catalog.AnswerArguments;

/** Which answers are cut, to the byte and to the token. A token is a character here. */
class AnswerFitterTest {
    private static final int AROUND = 1_024;
    private static final int ENDLESS = 1 << 30;

    private final AnswerFitter fitter = new AnswerFitter(
            new ComputationExecutor() {
                @Override
                public <T> Future<T> run(Principal principal, Callable<T> work) {
                    try {
                        return Future.succeededFuture(work.call());
                    } catch (Exception e) {
                        return Future.failedFuture(e);
                    }
                }
            },
            (text, most) -> Math.min(text.length(), most + 1));

    private static AnswerFitter.Bounds bounds(@Nullable Integer budget, int skip, int maxBytes) {
        return new AnswerFitter.Bounds("results", "", null, new AnswerArguments(budget, skip), maxBytes);
    }

    private static ObjectNode answer(int results) {
        ObjectNode answer = Json.object();
        ArrayNode all = answer.putArray("results");
        for (int i = 0; i < results; i++) {
            all.addObject().put("id", i).put("text", "word ".repeat(100));
        }
        return answer;
    }

    private ToolReply.Ok fitted(ToolReply.Ok reply, AnswerFitter.Bounds bounds) {
        ObjectNode structured = reply.structured();
        return (ToolReply.Ok)
                fitter.fit(Principal.anonymous(), reply, structured, bounds).await();
    }

    @Test
    void anAnswerThatFitsHoweverItIsWrittenIsNoConcern() {
        ToolReply.Ok reply = ToolReply.ok(answer(1));
        int most = Json.text(answer(1)).length() * 16 + AROUND;
        assertFalse(fitter.concerns(reply, bounds(null, 0, most)));
        assertTrue(fitter.concerns(reply, bounds(null, 0, most - 1)));
        assertTrue(fitter.concerns(reply, bounds(null, 1, most)));
        assertTrue(fitter.concerns(reply, bounds(200_000, 0, most)));
        assertFalse(fitter.concerns(ToolReply.text("text only"), bounds(1, 1, 1)));
    }

    @Test
    void anAnswerWithExactlyTheBudgetIsWhole() {
        ToolReply.Ok reply = ToolReply.ok(answer(4));
        int tokens = Json.text(answer(4)).length() + 1;
        assertSame(reply, fitted(reply, bounds(tokens, 0, ENDLESS)));
        ToolReply.Ok cut = fitted(reply, bounds(tokens - 2, 0, ENDLESS));
        assertNotSame(reply, cut);
        assertTrue(Json.text(cut.structured()).length() < tokens);
        assertTrue(cut.structured().has("truncated"), cut::toString);
    }

    @Test
    void anAnswerWithExactlyTheBytesIsWhole() {
        ToolReply.Ok reply = ToolReply.ok(answer(4));
        // The copy as text inside of JSON is the longer one: its quotes are escaped.
        int bytes = Json.bytes(Json.mapper().getNodeFactory().textNode(Json.text(answer(4)) + "\n")).length;
        assertSame(reply, fitted(reply, bounds(null, 0, bytes + AROUND)));
        assertNotSame(reply, fitted(reply, bounds(null, 0, bytes + AROUND - 1)));
        // Without the line end, which takes two bytes, it fits again.
        ToolReply.Ok cut = fitted(reply, bounds(null, 0, bytes + AROUND - 3));
        assertTrue(cut.structured().has("truncated"), cut::toString);
    }

    @Test
    void resultsThatAreSkippedAreLeftOutOfAnAnswerThatFits() {
        ToolReply.Ok reply = ToolReply.ok(answer(4));
        ToolReply.Ok rest = fitted(reply, bounds(null, 3, ENDLESS));
        assertEquals(1, rest.structured().path("results").size());
        assertEquals(3, rest.structured().path("results").path(0).path("id").asInt());
        assertSame(reply, fitted(reply, bounds(null, 0, ENDLESS)));
    }
}
