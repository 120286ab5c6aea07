package switchboard.call;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Another process owns the data now. */
public class NotOwnerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable String address;

    /**
     * Makes an exception.
     *
     * @param message for the operator, without the address
     * @param address the address that the owner announced, or null
     */
    public NotOwnerException(String message, @Nullable String address) {
        super(message);
        this.address = address;
    }

    /** The address that the owner {@code ExclusiveBackend#announce announced}, if it has; a secret. */
    public Optional<String> address() {
        return Optional.ofNullable(address);
    }
}
