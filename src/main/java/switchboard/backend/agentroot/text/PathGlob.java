package switchboard.backend.agentroot.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Patterns for paths: {@code ?} is one character, {@code *} any number of them, <code>**</code> the same across
 * folders, <code>**&#47;</code> any number of folders, {@code [a-z]} and {@code [!a-z]} one character of a set, {@code
 * {a,b}} a choice. A set or choice that is never closed is literal text.
 *
 * <p>All possibilities are matched at once (Thompson 1968), one bit for each, so the time is proportional to the
 * length of the path times the size of the patterns, however many stars there are. The size is limited. Immutable.
 */
public final class PathGlob {
    /** Maximum size of the patterns of one argument, in parts: a part is a character, a star, or a range of a set. */
    public static final int MAX_PARTS = 2048;

    private static final int MAX_CHOICES = 512;
    private static final int MAX_EXPANDED = 8 * MAX_PARTS;
    private static final char NO_LIMIT = '\0';

    private final int words;
    /** The start of each class of characters. All characters of a class match the same tokens. */
    private final char[] classes;
    /** For each class the tokens that match one character of it and move on. */
    private final long[][] once;
    /** For each class the tokens that take any number of it. */
    private final long[][] often;
    /** Tokens that also fit nothing: the next one may come at once. */
    private final long[] runs;
    /** Tokens before a run and a slash that may both be missing. */
    private final long[] folders;

    private final long[] start;
    private final long[] accepted;

    private PathGlob(List<List<GlobToken>> choices) {
        int states = choices.stream().mapToInt(tokens -> tokens.size() + 1).sum();
        this.words = (states + 63) / 64;
        this.classes = classes(choices);
        this.once = new long[classes.length][words];
        this.often = new long[classes.length][words];
        this.runs = new long[words];
        this.folders = new long[words];
        this.start = new long[words];
        this.accepted = new long[words];
        int state = 0;
        for (List<GlobToken> tokens : choices) {
            set(start, state);
            for (GlobToken token : tokens) {
                add(token, state++);
            }
            set(accepted, state++);
        }
        close(start);
    }

    private void add(GlobToken token, int state) {
        switch (token) {
            case GlobToken.OneCharacter one -> {
                for (int i = 0; i < classes.length; i++) {
                    if (one.takes(classes[i])) {
                        set(once[i], state);
                    }
                }
            }
            case GlobToken.Optional _ -> set(folders, state);
            case GlobToken.AnyRun(char except) -> {
                set(runs, state);
                for (int i = 0; i < classes.length; i++) {
                    if (except == NO_LIMIT || classes[i] != except) {
                        set(often[i], state);
                    }
                }
            }
        }
    }

    /**
     * A pattern in which a single {@code *} and {@code ?} stay within one folder.
     *
     * @param field the argument that it is, for the message
     * @throws ToolException if it comes to more than {@value #MAX_PARTS} parts
     */
    public static PathGlob byFolder(String field, String pattern) {
        return of(field, List.of(pattern), '/');
    }

    /** Patterns of which one must match; {@code *} and {@code ?} also match {@code /}. */
    public static PathGlob acrossFolders(String field, List<String> patterns) {
        return of(field, patterns, NO_LIMIT);
    }

    private static PathGlob of(String field, List<String> patterns, char limit) {
        List<List<GlobToken>> all = new ArrayList<>();
        int parts = 0;
        for (String choice : choices(field, patterns)) {
            List<GlobToken> tokens = tokens(choice, limit);
            parts += 1 + tokens.stream().mapToInt(GlobToken::parts).sum();
            if (parts > MAX_PARTS) {
                throw tooLarge(field);
            }
            all.add(tokens);
        }
        return new PathGlob(all);
    }

    private static ToolException tooLarge(String field) {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                field + " is too large to be matched: with its choices {a,b} written out it may have " + MAX_CHOICES
                        + " choices and " + MAX_PARTS + " characters and stars. Use a shorter one.");
    }

    /** Whether {@code text} has anything in it that makes it more than a path. */
    public static boolean isPattern(String text) {
        return text.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '{');
    }

    /** Whether the whole of {@code path} fits. */
    public boolean matches(String path) {
        long[] states = start.clone();
        follow(path, states);
        for (int i = 0; i < words; i++) {
            if ((states[i] & accepted[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /** How many words of bits are read to match {@code path}; for tests of its cost. */
    long steps(String path) {
        return follow(path, start.clone());
    }

    /** Advances {@code states} over {@code path}; returns the number of steps. */
    private long follow(String path, long[] states) {
        long steps = 0;
        boolean any = true;
        for (int at = 0; at < path.length() && any; at++) {
            int kind = Arrays.binarySearch(classes, path.charAt(at));
            kind = kind < 0 ? -kind - 2 : kind;
            any = false;
            long carry = 0;
            for (int i = 0; i < words; i++) {
                long moved = states[i] & once[kind][i];
                states[i] = (states[i] & often[kind][i]) | (moved << 1) | carry;
                carry = moved >>> 63;
                any |= states[i] != 0;
            }
            close(states);
            steps += words;
        }
        return steps;
    }

    /**
     * Adds the states that are reached without a character. One pass is enough, because of two adjacent runs only one
     * is kept.
     */
    private void close(long[] states) {
        long carry = 0;
        for (int i = 0; i < words; i++) {
            long from = states[i] & folders[i];
            states[i] |= (from << 1) | (from << 3) | carry;
            carry = (from >>> 63) | (from >>> 61);
        }
        carry = 0;
        for (int i = 0; i < words; i++) {
            long from = states[i] & runs[i];
            states[i] |= (from << 1) | carry;
            carry = from >>> 63;
        }
    }

    private static void set(long[] bits, int index) {
        bits[index / 64] |= 1L << index;
    }

    private sealed interface GlobToken {
        /** The number of parts. */
        int parts();

        /** One character within the ranges, or outside of them. */
        record OneCharacter(String ranges, boolean outside, char except) implements GlobToken {
            boolean takes(char c) {
                boolean within = false;
                for (int i = 0; i < ranges.length(); i += 2) {
                    within |= c >= ranges.charAt(i) && c <= ranges.charAt(i + 1);
                }
                return within != outside && (except == NO_LIMIT || c != except);
            }

            @Override
            public int parts() {
                return Math.max(1, ranges.length() / 2);
            }
        }

        /** Any run of characters but {@code except}. */
        record AnyRun(char except) implements GlobToken {
            @Override
            public int parts() {
                return 1;
            }
        }

        /** The following run and slash may be missing. */
        record Optional() implements GlobToken {
            @Override
            public int parts() {
                return 1;
            }
        }
    }

    private static final GlobToken SLASH = new GlobToken.OneCharacter("//", false, NO_LIMIT);
    private static final GlobToken ANYTHING = new GlobToken.AnyRun(NO_LIMIT);
    private static final List<GlobToken> FOLDERS = List.of(new GlobToken.Optional(), ANYTHING, SLASH);

    private static char[] classes(List<List<GlobToken>> choices) {
        TreeSet<Character> starts = new TreeSet<>(List.of('\0', '/', (char) ('/' + 1)));
        for (List<GlobToken> tokens : choices) {
            for (GlobToken token : tokens) {
                if (token instanceof GlobToken.OneCharacter one) {
                    for (int i = 0; i < one.ranges().length(); i++) {
                        starts.add((char) (one.ranges().charAt(i) + i % 2));
                    }
                }
            }
        }
        char[] sorted = new char[starts.size()];
        int i = 0;
        for (char start : starts) {
            sorted[i++] = start;
        }
        return sorted;
    }

    /** The patterns with every choice written out. */
    private static List<String> choices(String field, List<String> patterns) {
        List<String> done = new ArrayList<>();
        Deque<String> open = new ArrayDeque<>(patterns);
        int length = patterns.stream().mapToInt(String::length).sum();
        while (!open.isEmpty()) {
            String one = open.removeFirst();
            int from = choice(one);
            int to = from < 0 ? -1 : one.indexOf('}', from);
            if (to < 0) {
                done.add(one);
            } else {
                length -= one.length();
                for (String part : one.substring(from + 1, to).split(",", -1)) {
                    String choice = one.substring(0, from) + part + one.substring(to + 1);
                    open.addLast(choice);
                    length += choice.length();
                    if (length > MAX_EXPANDED || open.size() + done.size() > MAX_CHOICES) {
                        throw tooLarge(field);
                    }
                }
            }
        }
        return done;
    }

    /** The start of the first choice outside a set; negative if there is none. */
    private static int choice(String pattern) {
        for (int at = 0; at < pattern.length(); at++) {
            char c = pattern.charAt(at);
            if (c == '{') {
                return at;
            }
            at = c == '[' ? Math.max(at, pattern.indexOf(']', at + 2)) : at;
        }
        return -1;
    }

    private static List<GlobToken> tokens(String pattern, char limit) {
        List<GlobToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            int close = c == '[' ? pattern.indexOf(']', at + 2) : -1;
            if (pattern.startsWith("**/", at) && (at == 0 || pattern.charAt(at - 1) == '/')) {
                if (tokens.size() < FOLDERS.size()
                        || !tokens.get(tokens.size() - FOLDERS.size()).equals(FOLDERS.getFirst())) {
                    tokens.addAll(FOLDERS);
                }
                at += 3;
            } else if (pattern.startsWith("**", at)) {
                run(tokens, ANYTHING);
                at += 2;
            } else if (c == '*') {
                run(tokens, new GlobToken.AnyRun(limit));
                at++;
            } else if (close > 0) {
                tokens.add(range(pattern.substring(at + 1, close), limit));
                at = close + 1;
            } else {
                tokens.add(
                        c == '?'
                                ? new GlobToken.OneCharacter("", true, limit)
                                : new GlobToken.OneCharacter("" + c + c, false, NO_LIMIT));
                at++;
            }
        }
        return tokens;
    }

    /** Adds a run, unless the one before takes all that it takes. */
    private static void run(List<GlobToken> tokens, GlobToken run) {
        GlobToken last = tokens.isEmpty() ? null : tokens.getLast();
        if (run.equals(last) || ANYTHING.equals(last)) {
            return;
        }
        if (last instanceof GlobToken.AnyRun) {
            tokens.removeLast();
        }
        tokens.add(run);
    }

    private static GlobToken range(String inside, char limit) {
        boolean outside = inside.startsWith("!") || inside.startsWith("^");
        String members = outside ? inside.substring(1) : inside;
        StringBuilder ranges = new StringBuilder();
        for (int i = 0; i < members.length(); i++) {
            boolean range = i + 2 < members.length() && members.charAt(i + 1) == '-';
            ranges.append(members.charAt(i)).append(members.charAt(range ? i + 2 : i));
            i += range ? 2 : 0;
        }
        return new GlobToken.OneCharacter(ranges.toString(), outside, limit);
    }
}
