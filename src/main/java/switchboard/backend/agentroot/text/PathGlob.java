package switchboard.backend.agentroot.text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A pattern for paths: {@code ?} is one character, {@code *} any run of them, <code>**</code> any run across folders,
 * <code>**&#47;</code> any number of folders, {@code [a-z]} and {@code [!a-z]} one of a set, {@code {a,b}} either.
 * Every text is a legal pattern: what opens a set or a choice and never closes it stands for itself.
 *
 * <p>Matching walks all possibilities at once (Thompson 1968), so its time is the product of both lengths however many
 * stars there are. Immutable.
 */
public final class PathGlob {
    private static final int MAX_CHOICES = 64;

    private final List<List<Token>> choices;

    private PathGlob(List<List<Token>> choices) {
        this.choices = choices;
    }

    /** A pattern in which a single {@code *} and {@code ?} stay within one folder. */
    public static PathGlob byFolder(String pattern) {
        return new PathGlob(
                choices(pattern).stream().map(choice -> tokens(choice, '/')).toList());
    }

    /** A pattern in which {@code *} and {@code ?} stand for {@code /}, too. */
    public static PathGlob acrossFolders(String pattern) {
        return new PathGlob(choices(pattern).stream()
                .map(choice -> tokens(choice, NO_LIMIT))
                .toList());
    }

    /** Whether {@code text} has anything in it that makes it more than a path. */
    public static boolean isPattern(String text) {
        return text.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '{');
    }

    /** Whether the whole of {@code path} fits. */
    public boolean matches(String path) {
        return choices.stream().anyMatch(tokens -> matches(tokens, path));
    }

    private static final char NO_LIMIT = '\0';

    private sealed interface Token {
        /** One character within the ranges, or outside of them. */
        record One(String ranges, boolean outside, char except) implements Token {
            boolean takes(char c) {
                boolean within = false;
                for (int i = 0; i < ranges.length(); i += 2) {
                    within |= c >= ranges.charAt(i) && c <= ranges.charAt(i + 1);
                }
                return within != outside && (except == NO_LIMIT || c != except);
            }
        }

        /** Any run of characters but {@code except}. */
        record Run(char except) implements Token {}

        /** Any number of folders, each with its slash. */
        record Folders() implements Token {}
    }

    private static List<String> choices(String pattern) {
        List<String> open = new ArrayList<>(List.of(pattern));
        for (int i = 0; i < open.size() && open.size() <= MAX_CHOICES; i++) {
            String one = open.get(i);
            int from = one.indexOf('{');
            int to = from < 0 ? -1 : one.indexOf('}', from);
            if (to > 0) {
                open.remove(i--);
                for (String part : one.substring(from + 1, to).split(",", -1)) {
                    open.add(one.substring(0, from) + part + one.substring(to + 1));
                }
            }
        }
        return open;
    }

    private static List<Token> tokens(String pattern, char limit) {
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            int close = c == '[' ? pattern.indexOf(']', at + 2) : -1;
            if (pattern.startsWith("**/", at) && (at == 0 || pattern.charAt(at - 1) == '/')) {
                tokens.add(new Token.Folders());
                at += 3;
            } else if (pattern.startsWith("**", at)) {
                tokens.add(new Token.Run(NO_LIMIT));
                at += 2;
            } else if (c == '*') {
                tokens.add(new Token.Run(limit));
                at++;
            } else if (close > 0) {
                tokens.add(set(pattern.substring(at + 1, close), limit));
                at = close + 1;
            } else {
                tokens.add(c == '?' ? new Token.One("", true, limit) : new Token.One("" + c + c, false, NO_LIMIT));
                at++;
            }
        }
        return tokens;
    }

    private static Token set(String inside, char limit) {
        boolean outside = inside.startsWith("!") || inside.startsWith("^");
        String members = outside ? inside.substring(1) : inside;
        StringBuilder ranges = new StringBuilder();
        for (int i = 0; i < members.length(); i++) {
            boolean range = i + 2 < members.length() && members.charAt(i + 1) == '-';
            ranges.append(members.charAt(i)).append(members.charAt(range ? i + 2 : i));
            i += range ? 2 : 0;
        }
        return new Token.One(ranges.toString(), outside, limit);
    }

    /** State {@code 2i} waits before token {@code i}; {@code 2i + 1} is inside a token for folders. */
    private static boolean matches(List<Token> tokens, String path) {
        BitSet now = new BitSet();
        reach(tokens, now, 0);
        for (int i = 0; i < path.length() && !now.isEmpty(); i++) {
            char c = path.charAt(i);
            BitSet next = new BitSet();
            for (int state = now.nextSetBit(0); state >= 0; state = now.nextSetBit(state + 1)) {
                if (state / 2 < tokens.size()) {
                    step(tokens, state, c, next);
                }
            }
            now = next;
        }
        return now.get(2 * tokens.size());
    }

    private static void step(List<Token> tokens, int state, char c, BitSet next) {
        int at = state / 2;
        switch (tokens.get(at)) {
            case Token.One one -> {
                if (one.takes(c)) {
                    reach(tokens, next, at + 1);
                }
            }
            case Token.Run run -> {
                if (run.except() == NO_LIMIT || c != run.except()) {
                    reach(tokens, next, at);
                }
            }
            case Token.Folders _ -> {
                next.set(2 * at + 1);
                if (c == '/') {
                    reach(tokens, next, at + 1);
                }
            }
        }
    }

    /** Adds the state before token {@code at} and those reached from it without a character. */
    private static void reach(List<Token> tokens, BitSet states, int at) {
        int token = at;
        states.set(2 * token);
        while (token < tokens.size() && !(tokens.get(token) instanceof Token.One)) {
            token++;
            states.set(2 * token);
        }
    }
}
