package switchboard.upstream;

import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the head of an answer, and optionally its body piece by piece. Used on the request's context. */
@FunctionalInterface
public interface ResponseConsumer {
    /** Reads no body: it is collected in the {@link UpstreamResponse}. */
    ResponseConsumer NONE = _ -> null;

    /** The receiver of the body's pieces, or null to have them collected. */
    @Nullable
    Consumer<Buffer> begin(UpstreamHead head);
}
