package switchboard.config;

/**
 * One entry of {@code backends:}.
 *
 * @param type the backend type, which decides what the other keys are
 * @param settings those other keys
 */
public record BackendConfig(String type, Record settings) {}
