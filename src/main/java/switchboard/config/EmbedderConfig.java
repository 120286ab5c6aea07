package switchboard.config;

/** A model that turns text into vectors. */
public record EmbedderConfig(
        @Default("onnx")
        @Doc("`onnx`: bge-small-en-v1.5 inside the gateway's process. `none`: no vectors; search is by keyword only.")
        Provider provider) {
    /** Where vectors come from. */
    public enum Provider {
        /** A model in this process. */
        ONNX,
        /** Nowhere. */
        NONE
    }
}
