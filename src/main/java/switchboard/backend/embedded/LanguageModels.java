package switchboard.backend.embedded;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import switchboard.embed.Embedder;
import switchboard.store.ChunkEmbedders;
import switchboard.store.TextLanguage;

/**
 * The embedders that a backend's configuration names for languages. Immutable.
 *
 * @param byLanguage embedders by the codes of languages
 */
public record LanguageModels(Map<String, Embedder> byLanguage) {
    public LanguageModels {
        byLanguage = Map.copyOf(byLanguage);
    }

    /**
     * The embedders of {@code languages}. A language whose embedder makes no vectors has that of the others.
     *
     * @param languages names of embedders by the codes of languages
     * @param find finds an embedder; empty if it makes no vectors
     * @throws IllegalArgumentException with a message for the operator, if a language is not told from others, or has no
     *     such embedder
     */
    public static LanguageModels of(Map<String, String> languages, Function<String, Optional<Embedder>> find) {
        Map<String, Embedder> byLanguage = new TreeMap<>();
        new TreeMap<>(languages).forEach((code, name) -> {
            if (!TextLanguage.codes().contains(code)) {
                throw new IllegalArgumentException("languages: \"" + code
                        + "\" is not a language that is detected; these are: "
                        + String.join(", ", TextLanguage.codes()));
            }
            find.apply(name).ifPresent(embedder -> byLanguage.put(code, embedder));
        });
        return new LanguageModels(byLanguage);
    }

    /** These, with the usual embedder of a whole backend. */
    public ChunkEmbedders and(Optional<Embedder> usual) {
        return new ChunkEmbedders(usual, byLanguage);
    }

    /** These, with the embedder that is declared for one library; nothing if that is none. */
    public ChunkEmbedders with(Optional<Embedder> declared) {
        return declared.isEmpty() ? ChunkEmbedders.NONE : and(declared);
    }
}
