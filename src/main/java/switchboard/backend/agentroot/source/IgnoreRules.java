package switchboard.backend.agentroot.source;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.call.ToolException;

/**
 * The rules of one {@code .gitignore} file, matched in linear time, because everybody who can write to a folder can
 * write its rules. Rules beyond the limits are ignored. Immutable.
 */
final class IgnoreRules {
    /** How much of a file is read. */
    static final int MAX_BYTES = 64 * 1024;

    private static final int MAX_RULES = 1000;
    private static final String SPECIAL = "*?[{";

    private final List<Rule> rules;

    private record Rule(PathGlob glob, boolean foldersOnly, boolean ignored) {}

    private IgnoreRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** Reads rules. */
    static IgnoreRules parse(String text) {
        List<Rule> rules = new ArrayList<>();
        for (String line : text.startsWith("\uFEFF")
                ? text.substring(1).lines().toList()
                : text.lines().toList()) {
            Rule rule = rule(line);
            if (rule != null && rules.size() < MAX_RULES) {
                rules.add(rule);
            }
        }
        return new IgnoreRules(rules);
    }

    /**
     * Whether {@code path} is left out, or null if no rule matches it; the last match counts.
     *
     * @param path relative to the folder of the rules
     */
    @Nullable
    Boolean verdict(String path, boolean folder) {
        for (int i = rules.size() - 1; i >= 0; i--) {
            Rule rule = rules.get(i);
            if ((folder || !rule.foldersOnly()) && rule.glob().matches(path)) {
                return rule.ignored();
            }
        }
        return null;
    }

    private static @Nullable Rule rule(String line) {
        String rest = withoutSpaces(line);
        boolean ignored = !rest.startsWith("!");
        rest = ignored ? rest : rest.substring(1);
        boolean folders = rest.endsWith("/");
        rest = folders ? rest.substring(0, rest.length() - 1) : rest;
        if (rest.isEmpty() || rest.startsWith("#")) {
            return null;
        }
        String anchored = rest.contains("/") ? rest.substring(rest.startsWith("/") ? 1 : 0) : "**/" + rest;
        try {
            return new Rule(PathGlob.byFolder("a rule", glob(anchored)), folders, ignored);
        } catch (ToolException tooLarge) {
            return null;
        }
    }

    /** Spaces at the end do not count, unless the last has a backslash before it. */
    private static String withoutSpaces(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ' && (end < 2 || line.charAt(end - 2) != '\\')) {
            end--;
        }
        return line.substring(0, end);
    }

    /**
     * The glob of a rule. In rules, braces have no special meaning, a backslash escapes, and two stars match folders
     * only beside a slash.
     */
    private static String glob(String rule) {
        StringBuilder glob = new StringBuilder();
        int at = 0;
        while (at < rule.length()) {
            char c = rule.charAt(at);
            int close = c == '[' ? rule.indexOf(']', at + 2) : -1;
            if (c == '\\' && at + 1 < rule.length()) {
                quoted(rule.charAt(++at), glob);
                at++;
            } else if (c == '{') {
                quoted(c, glob);
                at++;
            } else if (close > 0) {
                glob.append(rule, at, close + 1);
                at = close + 1;
            } else if (c == '*') {
                int end = at;
                while (end < rule.length() && rule.charAt(end) == '*') {
                    end++;
                }
                boolean wholePart =
                        (at == 0 || rule.charAt(at - 1) == '/') && (end == rule.length() || rule.charAt(end) == '/');
                glob.append(end - at == 2 && wholePart ? "**" : "*");
                at = end;
            } else {
                glob.append(c);
                at++;
            }
        }
        return glob.toString();
    }

    private static void quoted(char c, StringBuilder glob) {
        if (SPECIAL.indexOf(c) >= 0) {
            glob.append('[').append(c).append(']');
        } else {
            glob.append(c);
        }
    }
}
