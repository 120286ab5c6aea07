package switchboard.call;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The data belongs to another process now. */
public class NotOwnerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable String address;

    /**
     * A refusal.
     *
     * @param message for the operator, without the address
     * @param address what the owner announced, or null
     */
    public NotOwnerException(String message, @Nullable String address) {
        super(message);
        this.address = address;
    }

    /** What the owner {@code ExclusiveBackend#announce announced}, if it has; a secret. */
    public Optional<String> address() {
        return Optional.ofNullable(address);
    }
}
