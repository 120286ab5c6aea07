package switchboard.backend.postgres.sql;

import java.util.List;
import java.util.Set;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * The meaning of a caller's {@code query} text: SQL, SQL for a database named in words, or a change of the default
 * database.
 */
public sealed interface QueryText {
    /** SQL for the default database. */
    record Plain(String sql) implements QueryText {}

    /** SQL for the database at {@code url}; {@code sql} is empty when the text only named a database. */
    record OnDatabase(String sql, String url) implements QueryText {}

    /** {@code SET DEFAULT DATABASE target}: a URL, a configured name, or empty. */
    record SetDefault(String target) implements QueryText {}

    /** The words that may stand before a closing URL. */
    Set<String> PREPOSITIONS = Set.of("at", "from", "on", "for", "in");

    /**
     * Reads {@code text}. A URL counts only as the last words outside quotes and comments ({@code ... AT
     * postgres://host/db}), or right after a leading {@code database} or {@code db}.
     *
     * @throws ToolException if a URL stands anywhere else
     */
    static QueryText parse(String text) {
        List<SqlToken> tokens = SqlLexer.withoutClosingSemicolons(SqlLexer.tokens(text));
        if (setsDefault(tokens)) {
            return setDefault(text, tokens);
        }
        long urls = tokens.stream()
                .filter(token -> token.kind() == SqlToken.TokenType.URL)
                .count();
        if (urls == 0) {
            return new Plain(text);
        }
        if (urls == 1 && tokens.getLast().kind() == SqlToken.TokenType.URL) {
            return atEnd(text, tokens);
        }
        if (urls == 1
                && tokens.get(1).kind() == SqlToken.TokenType.URL
                && (tokens.getFirst().word("database") || tokens.getFirst().word("db"))) {
            return new OnDatabase(
                    text.substring(tokens.get(1).end()).strip(), tokens.get(1).text());
        }
        throw misplaced();
    }

    /** {@code SET DEFAULT [DATABASE] [TO] target}, {@code USE DATABASE target}, {@code SWITCH TO target}. */
    private static QueryText setDefault(String text, List<SqlToken> tokens) {
        int start = 2;
        while (start < tokens.size()
                && (tokens.get(start).word("database") || tokens.get(start).word("to"))) {
            start++;
        }
        if (start == tokens.size()) {
            return new SetDefault("");
        }
        String target =
                text.substring(tokens.get(start).start(), tokens.getLast().end());
        if (target.chars().anyMatch(Character::isWhitespace) || tokens.stream().anyMatch(token -> token.symbol(';'))) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "The default database is set by a call of its own: send the statements after it in further calls.");
        }
        return new SetDefault(target);
    }

    private static QueryText atEnd(String text, List<SqlToken> tokens) {
        String url = tokens.getLast().text();
        if (tokens.size() == 1) {
            return new OnDatabase("", url);
        }
        SqlToken before = tokens.get(tokens.size() - 2);
        if (before.kind() != SqlToken.TokenType.WORD) {
            throw misplaced();
        }
        if (tokens.size() == 2 && (before.word("database") || before.word("db"))) {
            return new OnDatabase("", url);
        }
        if (!PREPOSITIONS.contains(before.text())) {
            throw misplaced();
        }
        return new OnDatabase(text.substring(0, before.start()).strip(), url);
    }

    private static boolean setsDefault(List<SqlToken> tokens) {
        return starts(tokens, "set", "default") || starts(tokens, "use", "database") || starts(tokens, "switch", "to");
    }

    private static boolean starts(List<SqlToken> tokens, String first, String second) {
        return tokens.size() >= 2 && tokens.get(0).word(first) && tokens.get(1).word(second);
    }

    private static ToolException misplaced() {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "A connection URL is understood only as the last words of 'query' (... AT postgres://host/database); the"
                        + " argument 'database' names a configured database without one.");
    }
}
