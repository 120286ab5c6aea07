package switchboard.backend;

/**
 * A backend type: what {@code type:} in the configuration selects.
 *
 * <p>{@link #create} runs once per configured instance, on the main thread, before anything is served; it must not
 * block or open connections: that is what {@link Backend#start} is for.
 *
 * @param <S> the record that the instance's configuration section is read into; its components are the section's keys
 */
public interface BackendModule<S extends Record> {
    /** The type's name, also the name of its folder {@code backends/<type>}. */
    String type();

    /** The record of the configuration section (without {@code type}). */
    Class<S> settingsType();

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
