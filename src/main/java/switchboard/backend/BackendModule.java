package switchboard.backend;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A backend type, selected by {@code type:} in the configuration.
 *
 * <p>{@link #create} runs once for each configured instance, on the main thread, at start. It must not block or open
 * connections; {@link Backend#start} does that.
 *
 * @param <S> the record of the instance's configuration section
 */
public interface BackendModule<S extends Record> {
    /** The type's name, also the name of its folder {@code backends/<type>}. */
    String type();

    /** The record of the configuration section (without {@code type}). */
    Class<S> settingsType();

    /**
     * The folder that an instance keeps data in, as its section names it; empty if there is none. No other instance may
     * have the same one.
     */
    default Optional<Path> dataFolder(S settings) {
        return Optional.empty();
    }

    /**
     * Makes an instance.
     *
     * @param id the instance's key in the configuration
     * @param settings its section, checked
     * @param services what the gateway provides
     * @throws IllegalArgumentException with a message for the operator, if the settings can't be used
     */
    Backend create(String id, S settings, BackendServices services);
}
