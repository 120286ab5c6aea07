package switchboard.embed;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.config.EmbedderConfig;

/**
 * A provider's model, from built-in knowledge and the configuration.
 *
 * @param name its name at the provider
 * @param dimension number of dimensions
 * @param maxTokens maximum length of a text
 * @param asked the number of dimensions to request, or null for the model's own
 * @param traits its languages and usual cosines, from the configuration
 */
record RemoteModel(
        String name, int dimension, int maxTokens, @Nullable Integer asked, ModelTraits traits) {
    private record ModelFacts(int dimension, int maxTokens) {}

    private static final Map<String, ModelFacts> KNOWN = Map.ofEntries(
            Map.entry("text-embedding-3-small", new ModelFacts(1536, 8191)),
            Map.entry("text-embedding-3-large", new ModelFacts(3072, 8191)),
            Map.entry("text-embedding-ada-002", new ModelFacts(1536, 8191)),
            Map.entry("voyage-3", new ModelFacts(1024, 32_000)),
            Map.entry("voyage-3-lite", new ModelFacts(512, 32_000)),
            Map.entry("voyage-3-large", new ModelFacts(1024, 32_000)),
            Map.entry("voyage-3.5", new ModelFacts(1024, 32_000)),
            Map.entry("voyage-3.5-lite", new ModelFacts(1024, 32_000)),
            Map.entry("voyage-code-3", new ModelFacts(1024, 32_000)),
            Map.entry("voyage-2", new ModelFacts(1024, 4_000)),
            Map.entry("voyage-2-lite", new ModelFacts(1024, 4_000)),
            Map.entry("nomic-embed-text", new ModelFacts(768, 2_048)),
            Map.entry("mxbai-embed-large", new ModelFacts(1024, 512)),
            Map.entry("all-minilm", new ModelFacts(384, 256)));

    /** Models with a configurable number of dimensions. */
    private static final java.util.Set<String> RESIZABLE = java.util.Set.of(
            "text-embedding-3-small",
            "text-embedding-3-large",
            "voyage-3-large",
            "voyage-3.5",
            "voyage-3.5-lite",
            "voyage-code-3");

    /**
     * The model of {@code config}, or {@code fallback} if it names none.
     *
     * @throws IllegalArgumentException if the number of dimensions is neither known nor configured
     */
    static RemoteModel of(EmbedderConfig config, String fallback) {
        String name = config.model() == null ? fallback : config.model();
        ModelFacts known = KNOWN.get(name.endsWith(":latest") ? name.substring(0, name.length() - 7) : name);
        Integer given = config.dimension();
        if (known == null && given == null) {
            throw new IllegalArgumentException(
                    "the model \"" + name + "\" is not known here: add dimension, the length of its vectors");
        }
        int dimension =
                given != null ? given : java.util.Objects.requireNonNull(known).dimension();
        Integer tokens = config.maxTokens();
        int maxTokens = tokens != null ? tokens : known != null ? known.maxTokens() : 512;
        boolean resized = known != null && known.dimension() != dimension && RESIZABLE.contains(name);
        return new RemoteModel(
                name,
                dimension,
                maxTokens,
                resized ? Integer.valueOf(dimension) : null,
                ModelTraits.UNKNOWN.configured(config));
    }
}
