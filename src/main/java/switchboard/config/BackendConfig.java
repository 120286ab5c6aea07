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

        @Default("false")
        @Doc("Whether the gateway is only ready while this backend's engine answers. No effect with type `http`.")
        boolean required,

        Record settings) {
    /** The type of backends that are other MCP servers. */
    public static final String MCP = "mcp";

    private static final String HTTP = "http";

    /**
     * Whether the gateway only passes questions on to a server of which it knows nothing else. Such a backend has no
     * bindings, and gives no vectors to compare.
     */
    public boolean relays() {
        return type.equals(MCP) || type.equals(HTTP);
    }
}
