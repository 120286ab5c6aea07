package switchboard.backend.agentroot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import switchboard.call.SourceQuery;
import switchboard.store.Filter;

/**
 * A caller's query: words, and filters of the form {@code category:x difficulty:x tag:x keyword:x}, whose value may be
 * in double quotes. Everything else is words, so every text is valid.
 *
 * @param words the words to search for
 * @param filters conditions for results
 */
record SearchQuery(String words, List<Filter> filters) {
    /** A longer text was pasted, and contains no filters, whatever it looks like. */
    static final int MAX_TYPED = 4_000;

    private static final Pattern INLINE = Pattern.compile(
            "(?i)(?<![\\w:])(category|difficulty|tag|keyword):(?:\"([^\"]{1,100})\"|([^\\s\":]{1,100}))(?![^\\s])");

    SearchQuery {
        filters = List.copyOf(filters);
    }

    static SearchQuery of(String typed) {
        if (typed.length() > MAX_TYPED) {
            return new SearchQuery(typed, List.of());
        }
        List<Filter> filters = new ArrayList<>();
        Matcher matcher = INLINE.matcher(typed);
        StringBuilder words = new StringBuilder();
        while (matcher.find()) {
            String value = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
            filters.add(filter(matcher.group(1).toLowerCase(Locale.ROOT), value.toLowerCase(Locale.ROOT)));
            matcher.appendReplacement(words, " ");
        }
        matcher.appendTail(words);
        return new SearchQuery(words.toString().strip(), filters);
    }

    /** The conditions of the text, and these. */
    Filter filter(List<Filter> more) {
        List<Filter> all = Stream.concat(filters.stream(), more.stream()).toList();
        return all.isEmpty() ? new Filter.All() : new Filter.And(all);
    }

    /** A caller's query as answers repeat it; of a long one the beginning. */
    static String shown(String typed) {
        return typed.length() <= MAX_TYPED ? typed : SourceQuery.beginning(typed, MAX_TYPED) + "…";
    }

    /** Category and difficulty are exact; a tag or keyword need only contain the value. */
    private static Filter filter(String key, String value) {
        return switch (key) {
            case "category", "difficulty" -> DocumentMetadata.equal(key, value);
            case "tag" -> DocumentMetadata.contains("tags", value);
            default -> DocumentMetadata.contains("keywords", value);
        };
    }
}
