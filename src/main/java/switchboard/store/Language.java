package switchboard.store;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A language whose words have endings that keyword search takes off ({@link LanguageAnalyzer}). English is not among them: it
 * is the usual language, and {@link TextAnalysis} itself takes its endings off.
 */
enum Language {
    ARABIC("ar"),
    CZECH("cs"),
    DANISH("da"),
    DUTCH("nl"),
    FINNISH("fi"),
    FRENCH("fr"),
    GERMAN("de"),
    GREEK("el"),
    HUNGARIAN("hu"),
    ITALIAN("it"),
    NORWEGIAN("no"),
    PORTUGUESE("pt"),
    ROMANIAN("ro"),
    RUSSIAN("ru"),
    SPANISH("es"),
    SWEDISH("sv"),
    TURKISH("tr");

    private static final Map<String, Language> BY_CODE =
            Stream.of(values()).collect(Collectors.toMap(Language::code, language -> language));

    private final String code;

    Language(String code) {
        this.code = code;
    }

    /** The language's code in ISO 639-1: {@code de}. */
    String code() {
        return code;
    }

    /** The language with this code; empty if it has no analyzer here, as English. */
    static Optional<Language> of(String code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }
}
