package switchboard.call;

import com.google.re2j.Pattern;
import java.util.stream.Collectors;

/**
 * What an engine says about a failure, made fit for a caller: without addresses of machines, names of classes and traces of
 * a program's calls, none of which a caller could use. Takes time linear in the text.
 */
public final class EngineWords {
    /** What callers can do about a failure that passes. */
    public static final String LATER = "Try again in a moment; if it stays so, ask the operator.";

    private static final Pattern TRACE = Pattern.compile(
            "^(?:\\s|\\\\t)*(?:at [\\w.$<>/]+\\(|\\.{3} \\d+ more|goroutine \\d+|Traceback |File \"|Caused by: )");
    private static final Pattern CLASS =
            Pattern.compile("\\b(?:(?:[a-z][a-z0-9_]*\\.){2,}[A-Z][\\w$]*|[A-Z]\\w*(?:Exception|Throwable))\\b:? ?");
    private static final Pattern LOOKUP = Pattern.compile("\\blookup [A-Za-z0-9._-]+(?: on [0-9.:\\[\\]A-Fa-f]+)?");
    private static final Pattern ADDRESS = Pattern.compile("(?:\\b(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?::[0-9]{1,5})?\\b"
            + "|\\[[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*\\](?::[0-9]{1,5})?"
            + "|\\blocalhost(?::[0-9]{1,5})?\\b"
            + "|\\b[A-Za-z][A-Za-z0-9.-]*:[0-9]{4,5}\\b"
            + "|\\b[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.(?:internal|local|svc|invalid)\\b)");

    private EngineWords() {}

    /** {@code said} without them. */
    public static String plain(String said) {
        String text = said.lines().filter(line -> !TRACE.matcher(line).find()).collect(Collectors.joining("\n"));
        text = CLASS.matcher(text).replaceAll("");
        text = LOOKUP.matcher(text).replaceAll("lookup of a host");
        return ADDRESS.matcher(text).replaceAll("(address)").strip();
    }

    /** What was said, and then {@code step}, a sentence that says what to do. */
    public static String then(String said, String step) {
        String text = said.strip();
        if (text.isEmpty()) {
            return step;
        }
        char last = text.charAt(text.length() - 1);
        return text + (last == '.' || last == '!' || last == '?' ? " " : ". ") + step;
    }
}
