package switchboard.backend.opensearch;

import java.util.List;
import java.util.stream.Stream;

/**
 * The words and fields of a search by keywords. The engine makes a clause of each word in each field, and refuses more than
 * 1,024 of them unless configured otherwise.
 *
 * @param words the question, or its beginning
 * @param fields the fields; those that the index searches by default if empty
 * @param notes what was left out
 */
record SearchText(String words, List<String> fields, List<String> notes) {
    private static final int MOST_CLAUSES = 1_000;
    private static final int MOST_FIELDS = 100;

    /** The text of {@code query} for an index with {@code mapping}. */
    static SearchText of(IndexQuery query, IndexMapping mapping) {
        List<String> asked = query.options().searched();
        if (asked.isEmpty()
                && mapping.searchable() > MOST_FIELDS
                && !mapping.fullTexts().isEmpty()) {
            List<String> texts = mapping.fullTexts().stream().limit(MOST_FIELDS).toList();
            return of(
                    query.text(),
                    texts,
                    texts.size(),
                    List.of("The index has many fields: " + texts.size() + " with full text were searched."));
        }
        boolean named = !asked.isEmpty() && asked.stream().noneMatch(field -> field.contains("*"));
        return of(query.text(), asked, named ? asked.size() : mapping.searchable(), List.of());
    }

    private static SearchText of(String text, List<String> fields, int width, List<String> notes) {
        int most = Math.max(1, MOST_CLAUSES / Math.max(1, width));
        int end = end(text, most);
        return end == text.length()
                ? new SearchText(text, fields, notes)
                : new SearchText(
                        text.substring(0, end),
                        fields,
                        Stream.concat(
                                        notes.stream(),
                                        Stream.of("The query is long: its first " + most + " words were searched."))
                                .toList());
    }

    /** Where word number {@code most} + 1 begins. In scripts without spaces, each letter is a word. */
    private static int end(String text, int most) {
        int words = 0;
        boolean inside = false;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            int letter = text.codePointAt(at);
            boolean alone = Character.isIdeographic(letter)
                    || Character.UnicodeScript.of(letter) == Character.UnicodeScript.HIRAGANA;
            boolean part = Character.isLetterOrDigit(letter);
            if (part && (alone || !inside) && ++words > most) {
                return at;
            }
            inside = part && !alone;
        }
        return text.length();
    }
}
