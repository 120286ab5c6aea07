package switchboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

class ToolHandlerTest {
    private record Args(String text) {}

    private interface Named {}

    private record PlainTool() implements Named, Comparable<PlainTool>, ToolHandler<Args> {
        @Override
        public String name() {
            return "plain";
        }

        @Override
        public Future<ToolReply> call(Args args, CallContext context) {
            return Future.succeededFuture(ToolReply.text(args.text()));
        }

        @Override
        public int compareTo(PlainTool other) {
            return 0;
        }
    }

    private record AnyTool<A extends Record>() implements ToolHandler<A> {
        @Override
        public String name() {
            return "any";
        }

        @Override
        public Future<ToolReply> call(A args, CallContext context) {
            return Future.succeededFuture(ToolReply.text(args.toString()));
        }
    }

    @Test
    void theArgumentsAreTheRecordThatTheHandlerNames() {
        assertEquals(Args.class, new PlainTool().argsType());
    }

    @Test
    void aHandlerOfAnyRecordHasToSayWhichOneItTakes() {
        AnyTool<Args> any = new AnyTool<>();
        String said = assertThrows(IllegalStateException.class, any::argsType).getMessage();
        assertTrue(said.contains("AnyTool does not name its arguments"), said);
    }
}
