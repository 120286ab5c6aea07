package switchboard.upstream;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import io.vertx.ext.web.codec.spi.BodyStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, handed on piece by piece. Pieces are taken at once, so it is never full. Used on the connection's
 * context.
 */
final class ConsumerBodyStream implements BodyStream<Void> {
    private final Consumer<Buffer> pieces;
    private final Promise<Void> end = Promise.promise();

    /** {@code pieces} must not throw. */
    ConsumerBodyStream(Consumer<Buffer> pieces) {
        this.pieces = pieces;
    }

    @Override
    public Future<Void> write(Buffer piece) {
        pieces.accept(piece);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> end() {
        end.tryComplete();
        return end.future();
    }

    /** The answer broke off. */
    @Override
    public void handle(Throwable cause) {
        end.tryFail(cause);
    }

    @Override
    public Future<Void> result() {
        return end.future();
    }

    @Override
    public boolean writeQueueFull() {
        return false;
    }

    @Override
    public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
        return this;
    }

    @Override
    public WriteStream<Buffer> drainHandler(@Nullable Handler<Void> handler) {
        return this;
    }

    @Override
    public WriteStream<Buffer> exceptionHandler(@Nullable Handler<Throwable> handler) {
        return this;
    }
}
