package switchboard.backend.agentroot.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.convert.ConvertedDocument;
import switchboard.convert.SourceGrammar;
import switchboard.text.SurrogatePairs;

/** Extracts metadata from text and path with fixed rules; {@code backends/agentroot/README.md} lists them for users. */
public final class MetadataExtractor {
    private static final int TITLE_LINES = 50;
    private static final int TITLE = 100;
    private static final int KEYWORDS = 8;
    private static final int CONCEPTS = 5;
    private static final int MAX_VALUES = 50;
    private static final int MAX_VALUE = 100;
    private static final int SCANNED = 200_000;

    private static final com.google.re2j.Pattern HEADING = com.google.re2j.Pattern.compile("#{1,2}\\s+(\\S.*?)\\s*#*");
    private static final Pattern WORD = Pattern.compile("[\\p{L}][\\p{L}\\p{N}]{3,29}");
    private static final Pattern LABEL = Pattern.compile("@label\\s+([\\w.-]{1,60}):([\\w./-]{1,100})");
    private static final Set<String> PLAIN_TITLES = Set.of("notes", "readme", "index");
    private static final Set<String> COMMON = Set.of(("about above after again also another because been before being"
                    + " below between both cannot could does doing done down each every first from further have having"
                    + " here http https into just last like made make many more most much must need never next none"
                    + " only other over same should since some such than that their them then there these they this"
                    + " those through under until upon used uses using very want well were what when where which while"
                    + " whom will with within without would your true false null void public private protected static"
                    + " final class return import const func function self type else string impl struct")
            .split(" "));

    private MetadataExtractor() {}

    /**
     * The metadata of the document at {@code path} in its collection.
     *
     * @param described a model's description; front matter takes precedence over it, and it over the rules
     * @param fallback the title if neither has one
     */
    public static ExtractedMetadata of(
            String path, ConvertedDocument document, LlmMetadata described, String fallback) {
        String text = document.text();
        FrontMatter front = FrontMatter.of(text);
        String body = text.substring(front.end());
        String language =
                SourceGrammar.of(extension(path)).map(SourceGrammar::language).orElse("");
        String title = front.text("title")
                .orElseGet(() -> title(path, body, document.title()).orElse(fallback));
        List<String> tags = folded(front.list("tags"));
        return new ExtractedMetadata(
                title,
                front.text("summary")
                        .or(() -> front.text("description"))
                        .or(described::summary)
                        .orElseGet(() -> summary(body)),
                front.text("category")
                        .or(described::category)
                        .map(MetadataExtractor::fold)
                        .orElseGet(() -> category(path, language)),
                front.text("difficulty")
                        .or(described::difficulty)
                        .map(MetadataExtractor::fold)
                        .orElseGet(() -> difficulty(path + " " + title)),
                tags,
                terms(front, described, tags, title + "\n" + body),
                bounded(front.map("labels")),
                language);
    }

    private static ExtractedMetadata.Terms terms(
            FrontMatter front, LlmMetadata described, List<String> tags, String text) {
        List<String> named = folded(or(front.list("keywords"), described.keywords()));
        List<String> keywords = named.isEmpty() ? frequent(text) : named;
        List<String> concepts =
                folded(Stream.concat(or(front.list("concepts"), described.concepts()).stream(), tags.stream())
                        .toList());
        List<String> given = new ArrayList<>(named);
        given.addAll(concepts);
        return new ExtractedMetadata.Terms(
                keywords,
                concepts.isEmpty() ? keywords.subList(0, Math.min(CONCEPTS, keywords.size())) : concepts,
                given);
    }

    private static List<String> or(List<String> first, List<String> otherwise) {
        return first.isEmpty() ? otherwise : first;
    }

    /** The labels in a piece, written as {@code @label key:value}. */
    public static Map<String, String> labels(String piece) {
        Map<String, String> labels = new LinkedHashMap<>();
        Matcher matcher = LABEL.matcher(piece);
        while (matcher.find() && labels.size() < MAX_VALUES) {
            labels.put(matcher.group(1), matcher.group(2));
        }
        return labels;
    }

    /** The extension of a path in lower case, without its dot. */
    public static String extension(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot <= 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }

    /** A file's name without extension, with spaces for {@code -} and {@code _}. */
    public static String stem(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        String stem =
                (dot <= 0 ? name : name.substring(0, dot)).replace('-', ' ').replace('_', ' ');
        return stem.isBlank() ? path : stem;
    }

    private static Optional<String> title(String path, String body, @Nullable String own) {
        String extension = extension(path);
        if (SourceGrammar.of(extension).isPresent()) {
            return Optional.of(stem(path));
        }
        return extension.equals("pdf") ? firstLine(body) : heading(body).or(() -> Optional.ofNullable(own));
    }

    /** The first line of a PDF is its title, unless it is the first of a paragraph. */
    private static Optional<String> firstLine(String body) {
        return body.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .filter(line -> line.length() <= TITLE);
    }

    /** The first heading of level 1 or 2 near the top. Headings without meaning are skipped. */
    private static Optional<String> heading(String body) {
        List<String> headings = body.lines()
                .limit(TITLE_LINES)
                .map(line -> HEADING.matcher(line.strip()))
                .filter(com.google.re2j.Matcher::matches)
                .map(matcher -> matcher.group(1))
                .toList();
        Optional<String> telling = headings.stream()
                .filter(heading -> !PLAIN_TITLES.contains(heading.toLowerCase(Locale.ROOT)))
                .findFirst();
        return telling.or(() -> headings.stream().findFirst()).map(MetadataExtractor::shortened);
    }

    private static String shortened(String line) {
        return line.length() <= 200
                ? line
                : line.substring(0, line.offsetByCodePoints(0, Math.min(150, line.codePointCount(0, line.length()))));
    }

    private static String summary(String body) {
        return body.lines()
                .limit(TITLE_LINES)
                .map(String::strip)
                .filter(line -> !line.isEmpty() && "#`|-=*<>/{}[]!@+~".indexOf(line.charAt(0)) < 0)
                .findFirst()
                .map(Sentences::first)
                .orElse("");
    }

    private static String category(String path, String language) {
        String folded = "/" + fold(path);
        if (folded.matches(".*(/tests?/|/__tests__/|[._-]test\\.|[._-]spec\\.|/test_).*")) {
            return "test";
        }
        if (!language.isEmpty()) {
            return "code";
        }
        if (folded.matches(".*(tutorial|quickstart|getting-started|walkthrough).*")) {
            return "tutorial";
        }
        if (folded.matches(".*(guide|how-?to).*")) {
            return "guide";
        }
        if (folded.matches(".*(reference|/api/).*")) {
            return "reference";
        }
        boolean settings = Set.of("json", "yaml", "yml", "toml", "ini", "properties", "xml")
                .contains(extension(path));
        return settings ? "configuration" : "documentation";
    }

    private static String difficulty(String words) {
        String folded = fold(words);
        if (folded.matches("(?s).*(beginner|introduction|intro\\b|getting.started|quickstart|basics).*")) {
            return "beginner";
        }
        return folded.matches("(?s).*(advanced|internals|deep.dive|expert).*") ? "advanced" : "intermediate";
    }

    /** The commonest words; the more frequent first, ties in alphabetical order. */
    private static List<String> frequent(String text) {
        Map<String, Integer> counts = new HashMap<>();
        Matcher words = WORD.matcher(text.substring(0, Math.min(SCANNED, text.length())));
        while (words.find()) {
            String word = fold(words.group());
            if (!COMMON.contains(word)) {
                counts.merge(word, 1, Integer::sum);
            }
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(KEYWORDS)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String fold(String text) {
        return SurrogatePairs.start(text.strip().toLowerCase(Locale.ROOT), MAX_VALUE);
    }

    private static List<String> folded(List<String> values) {
        return new ArrayList<>(values.stream()
                .map(MetadataExtractor::fold)
                .filter(value -> !value.isEmpty())
                .distinct()
                .limit(MAX_VALUES)
                .toList());
    }

    private static Map<String, String> bounded(Map<String, String> labels) {
        Map<String, String> kept = new LinkedHashMap<>();
        labels.forEach((key, value) -> {
            if (kept.size() < MAX_VALUES && key.length() <= MAX_VALUE && value.length() <= MAX_VALUE) {
                kept.put(key, value);
            }
        });
        return kept;
    }
}
