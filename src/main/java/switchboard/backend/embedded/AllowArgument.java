package switchboard.backend.embedded;

import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;

/** The argument {@code allow} of tools that store documents: who may read them. */
public final class AllowArgument {
    private AllowArgument() {}

    /**
     * The readers; null if the argument is.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} if it names something else than readers
     */
    public static @Nullable AllowedReaders of(@Nullable List<String> allow) {
        try {
            return allow == null ? null : AllowedReaders.of(allow);
        } catch (IllegalArgumentException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "allow: " + e.getMessage() + ".");
        }
    }
}
