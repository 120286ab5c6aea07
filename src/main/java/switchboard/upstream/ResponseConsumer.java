package switchboard.upstream;

import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks at the head of an answer, and takes its body piece by piece if it likes. Used on the request's context. */
@FunctionalInterface
public interface ResponseConsumer {
    /** Leaves every body to be collected in the {@link UpstreamResponse}. */
    ResponseConsumer NONE = _ -> null;

    /** Where the pieces of this answer's body go, or null to have them collected. */
    @Nullable
    Consumer<Buffer> begin(UpstreamHead head);
}
