package switchboard.backend;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The data belongs to another process now. */
public class OwnedElsewhereException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable String address;

    /**
     * A refusal.
     *
     * @param message for the operator, without the address
     * @param address what the owner announced, or null
     */
    public OwnedElsewhereException(String message, @Nullable String address) {
        super(message);
        this.address = address;
    }

    /** What the owner {@link ExclusiveBackend#announce announced}, if it has; a secret. */
    public Optional<String> address() {
        return Optional.ofNullable(address);
    }
}
