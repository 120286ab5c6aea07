package switchboard.config;

/**
 * An entry of {@code backends:}.
 *
 * @param type the backend type, which decides the other keys
 * @param required whether the gateway is only ready while this backend's engine answers
 * @param settings the keys of the type
 */
public record BackendConfig(
        String type,

        @Default("false") @Doc("Whether the gateway is only ready while this backend's engine answers.")
        boolean required,

        Record settings) {}
