package switchboard.embed;

import java.util.List;
import java.util.Set;
import switchboard.config.EmbedderConfig;

/**
 * The scripts and languages that a model was trained on. Immutable.
 *
 * @param scripts the scripts. A text in another one gets no vector
 * @param codes the languages, as codes of ISO 639-1 ({@code en}); empty for all. The vectors of a text in another language
 *     of the same script still say something, but less than its words
 */
public record ModelLanguages(UnicodeScripts scripts, Set<String> codes) {
    /** All languages: the default for a model without declared ones. */
    public static final ModelLanguages ALL = new ModelLanguages(UnicodeScripts.ALL, Set.of());

    /** English only. */
    public static final ModelLanguages ENGLISH = new ModelLanguages(UnicodeScripts.LATIN, Set.of("en"));

    /** Chinese only. */
    public static final ModelLanguages CHINESE = new ModelLanguages(UnicodeScripts.HAN, Set.of("zh"));

    public ModelLanguages {
        codes = Set.copyOf(codes);
        for (String code : codes) {
            if (!code.matches("[a-z]{2}")) {
                throw new IllegalArgumentException(
                        "\"" + code + "\" is not a language; write codes such as en, de, fr, zh");
            }
        }
    }

    /**
     * These, or what the configuration says instead.
     *
     * @throws IllegalArgumentException with a message for the operator that names what is unknown
     */
    ModelLanguages configured(EmbedderConfig config) {
        List<String> named = config.scripts();
        return new ModelLanguages(
                named.isEmpty() ? scripts : UnicodeScripts.named(named),
                !config.languages().isEmpty() ? Set.copyOf(config.languages()) : named.isEmpty() ? codes : Set.of());
    }

    /** Whether the model was trained on the language of this code. */
    public boolean include(String code) {
        return codes.isEmpty() || codes.contains(code);
    }
}
