package switchboard.call;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.stream.Collectors;

/**
 * Makes an engine's error message fit for callers: removes addresses of machines, class names and stack traces. Takes
 * time linear in the text.
 */
public final class EngineMessageSanitizer {
    /** Advice for temporary failures. */
    public static final String LATER = "Try again in a moment; if it fails again, ask the operator.";

    private static final Pattern TRACE = Pattern.compile(
            "^(?:\\s|\\\\t)*(?:at [\\w.$<>/]+\\(|\\.{3} \\d+ more|goroutine \\d+|Traceback |File \"|Caused by: )");
    private static final Pattern CLASS =
            Pattern.compile("\\b(?:(?:[a-z][a-z0-9_]*\\.){2,}[A-Z][\\w$]*|[A-Z]\\w*(?:Exception|Throwable))\\b:? ?");
    private static final Pattern LOOKUP =
            Pattern.compile("\\blookup [A-Za-z0-9._-]+(?: on [0-9.:\\[\\]A-Fa-f]*[0-9\\]A-Fa-f])?");
    private static final String ADDRESS = "(address)";
    private static final Pattern NUMBERS = Pattern.compile("[0-9]+(?:\\.[0-9]+)+(?::[0-9]{1,5})?");
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern FOUR_OCTETS =
            Pattern.compile(OCTET + "\\." + OCTET + "\\." + OCTET + "\\." + OCTET + "(?::[0-9]+)?");
    private static final Pattern HOST = Pattern.compile("\\[[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*\\](?::[0-9]{1,5})?"
            + "|\\blocalhost(?::[0-9]{1,5})?\\b"
            + "|\\b[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.(?:internal|local|svc|invalid)\\b(?::[0-9]{1,5}\\b)?"
            + "|\\b[A-Za-z][A-Za-z0-9-]*(?:\\.[A-Za-z0-9-]+)+:[0-9]{4,5}\\b");

    /** A name without a dot may be any word; what stands beside it tells. */
    private static final Pattern AFTER_A_WORD_ABOUT_CONNECTIONS = Pattern.compile(
            "(?i)(//|@|\\b(?:dial(?:ing)?(?: tcp| udp)?[46]?|connect(?:ed|ing|ion|ions)?(?: to| with| from| at)?"
                    + "|host|server|upstream|peer|proxy|node|broker|replica|endpoint)(?: at)? )"
                    + "[A-Z][A-Z0-9-]*:[0-9]{2,5}\\b");

    private static final Pattern BEFORE_A_WORD_ABOUT_CONNECTIONS = Pattern.compile(
            "(?i)\\b[A-Z][A-Z0-9-]*:[0-9]{2,5}(:? (?:(?:the )?connection|connect|refused|is (?:down|unreachable|not reachable)"
                    + "|unreachable|no such host|i/o timeout|timed out|did not answer)\\b)");

    /** A name that looks like that of a machine ({@code engine-7}) with a port. */
    private static final Pattern NUMBERED_MACHINE = Pattern.compile("\\b[A-Za-z]+[0-9-][A-Za-z0-9-]*:[0-9]{4,5}\\b");

    /** A line that names one address may name others. */
    private static final Pattern ABOUT_ADDRESSES =
            Pattern.compile("\\(address\\)|://|<url>|lookup of a host|no such host");

    private static final Pattern NAME_WITH_PORT = Pattern.compile("\\b[A-Za-z][A-Za-z0-9-]*:[0-9]{2,5}\\b");

    private EngineMessageSanitizer() {}

    /** {@code said} after removal. */
    public static String plain(String said) {
        String text = said.lines().filter(line -> !TRACE.matcher(line).find()).collect(Collectors.joining("\n"));
        text = CLASS.matcher(text).replaceAll("");
        text = LOOKUP.matcher(text).replaceAll("lookup of a host");
        text = withoutNumericAddresses(text);
        text = HOST.matcher(text).replaceAll(ADDRESS);
        text = AFTER_A_WORD_ABOUT_CONNECTIONS.matcher(text).replaceAll("$1" + ADDRESS);
        text = BEFORE_A_WORD_ABOUT_CONNECTIONS.matcher(text).replaceAll(ADDRESS + "$1");
        text = NUMBERED_MACHINE.matcher(text).replaceAll(ADDRESS);
        return text.lines()
                .map(line -> ABOUT_ADDRESSES.matcher(line).find()
                        ? NAME_WITH_PORT.matcher(line).replaceAll(ADDRESS)
                        : line)
                .collect(Collectors.joining("\n"))
                .strip();
    }

    /** Groups of digits with dots between them are an address only if they are four, and none is above 255. */
    private static String withoutNumericAddresses(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        StringBuilder plain = new StringBuilder();
        int from = 0;
        while (numbers.find()) {
            plain.append(text, from, numbers.start());
            String found = numbers.group();
            plain.append(FOUR_OCTETS.matches(found) ? ADDRESS : found);
            from = numbers.end();
        }
        return plain.append(text, from, text.length()).toString();
    }

    /** The message followed by {@code step}, a sentence with what to do. */
    public static String then(String said, String step) {
        String text = said.strip();
        if (text.isEmpty()) {
            return step;
        }
        char last = text.charAt(text.length() - 1);
        return text + (last == '.' || last == '!' || last == '?' ? " " : ". ") + step;
    }
}
