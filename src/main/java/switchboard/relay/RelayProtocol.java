package switchboard.relay;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.WireForm;

/**
 * What passes between two processes: a request is one call, its response any number of events and then one reply, each
 * a byte that says which and the message's JSON form.
 */
final class RelayProtocol {
    static final WireForm<BackendCall> CALL = WireForm.of(BackendCall.class);

    /** How long the answer is wanted for; a call's own deadline means nothing in another process. */
    static final String REMAINING = "Switchboard-Remaining-Ms";

    private static final WireForm<BackendEvent> EVENT = WireForm.of(BackendEvent.class);
    private static final WireForm<BackendReply> REPLY = WireForm.of(BackendReply.class);
    private static final byte IS_EVENT = 1;
    private static final byte IS_REPLY = 2;
    private static final int HEADER = 1 + WireForm.HEADER;

    private RelayProtocol() {}

    static Buffer frame(BackendEvent event) {
        Buffer frame = Buffer.buffer().appendByte(IS_EVENT);
        EVENT.write(event, frame);
        return frame;
    }

    static Buffer frame(BackendReply reply) {
        Buffer frame = Buffer.buffer().appendByte(IS_REPLY);
        REPLY.write(reply, frame);
        return frame;
    }

    /** Reads frames out of the pieces that arrive; what is no frame is thrown as {@link IllegalStateException}. */
    static RecordParser reader(Consumer<BackendEvent> events, Consumer<BackendReply> reply) {
        RecordParser parser = RecordParser.newFixed(HEADER);
        parser.handler(new Frames(parser, events, reply));
        return parser;
    }

    private static final class Frames implements Handler<Buffer> {
        private final RecordParser parser;
        private final Consumer<BackendEvent> events;
        private final Consumer<BackendReply> reply;
        private @Nullable Buffer header;

        Frames(RecordParser parser, Consumer<BackendEvent> events, Consumer<BackendReply> reply) {
            this.parser = parser;
            this.events = events;
            this.reply = reply;
        }

        @Override
        public void handle(Buffer part) {
            Buffer begun = header;
            if (begun == null) {
                header = part;
                parser.fixedSizeMode(WireForm.length(1, part));
                return;
            }
            Buffer frame = Buffer.buffer().appendBuffer(begun).appendBuffer(part);
            header = null;
            parser.fixedSizeMode(HEADER);
            if (frame.getByte(0) == IS_REPLY) {
                reply.accept(REPLY.read(1, frame));
            } else {
                events.accept(EVENT.read(1, frame));
            }
        }
    }
}
