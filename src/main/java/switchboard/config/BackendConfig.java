package switchboard.config;

/**
 * One entry of {@code backends:}.
 *
 * @param type the backend type, which decides what the other keys are
 * @param required whether the gateway is ready only while this backend's engine answers
 * @param settings the keys of the type
 */
public record BackendConfig(
        String type,

        @Default("false") @Doc("Whether the gateway counts as ready only while this backend's engine answers.")
        boolean required,

        Record settings) {}
