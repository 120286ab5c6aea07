package switchboard.relay;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.WireFormat;

/**
 * The protocol between two processes: a request is one call; the response is any number of events and then one reply.
 * Each message is a byte for its type and a JSON form. Connections are kept. A call that may change something is sent
 * when the owner has asked for it ({@code 100 Continue}), so that a call that was not asked for has certainly not reached
 * it.
 */
final class RelayProtocol {
    static final WireFormat<BackendCall> CALL = WireFormat.of(BackendCall.class);

    /** The remaining time of the call, because a deadline of one process has no meaning in another. */
    static final String REMAINING = "Switchboard-Remaining-Ms";

    /** The status of a call that was not begun, because the owner stops. */
    static final int NOT_BEGUN = 503;

    /** The status of a call that the owner gave up at its stop. */
    static final int GIVEN_UP = 504;

    private static final WireFormat<BackendEvent> EVENT = WireFormat.of(BackendEvent.class);
    private static final WireFormat<BackendReply> REPLY = WireFormat.of(BackendReply.class);
    private static final byte IS_EVENT = 1;
    private static final byte IS_REPLY = 2;
    private static final int HEADER = 1 + WireFormat.HEADER;

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

    /** Parses messages from the received pieces. Throws {@link IllegalStateException} for anything else. */
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
                parser.fixedSizeMode(WireFormat.length(1, part));
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
