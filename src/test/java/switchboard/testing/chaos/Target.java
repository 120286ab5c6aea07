package switchboard.testing.chaos;

import java.util.Locale;

/** The kinds of backends, each with an engine that can fail: the embedded one's is the model behind its embedder. */
public enum Target {
    WEAVIATE,
    MEILISEARCH,
    POSTGRES,
    UPSTREAM,
    VECTORDB;

    /** What the backend is called in the configuration. */
    public String backend() {
        return name().toLowerCase(Locale.ROOT);
    }
}
