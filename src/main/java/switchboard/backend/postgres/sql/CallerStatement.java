package switchboard.backend.postgres.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * One statement that a caller wrote, checked to be sendable.
 *
 * @param sql the statement without a closing semicolon; may end in a comment, so a line break belongs after it
 * @param shape how its answer is read
 */
public record CallerStatement(String sql, ResultType shape) {
    /** How a statement's answer is read. */
    public enum ResultType {
        /** A query: it can stand in parentheses inside another. */
        QUERY,
        /** {@code SHOW} or {@code EXPLAIN}: a few lines of text. */
        REPORT
    }

    /** SQLSTATE of a write in a read-only transaction. */
    private static final String READ_ONLY_VIOLATION = "25006";

    private static final Set<String> QUERY_STARTS = Set.of("select", "with", "values", "table");
    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "merge");
    private static final Set<String> DEFINITIONS = Set.of(
            "insert",
            "update",
            "delete",
            "merge",
            "truncate",
            "create",
            "alter",
            "drop",
            "grant",
            "revoke",
            "comment",
            "reindex",
            "refresh",
            "vacuum",
            "cluster",
            "analyze",
            "import",
            "reassign",
            "security");

    /**
     * Checks that {@code sql} is one statement that only reads.
     *
     * @throws ToolException with the problem
     */
    public static CallerStatement check(String sql) {
        List<SqlToken> tokens = single(SqlLexer.withoutClosingSemicolons(SqlLexer.tokens(sql)));
        if (tokens.isEmpty()) {
            throw invalid("There is no statement in 'query'. Give one that reads.");
        }
        refuseParameters(tokens);
        refuseFunctions(tokens);
        ResultType shape = shape(tokens);
        refuseNestedWrites(tokens);
        return new CallerStatement(sql.substring(0, tokens.getLast().end()), shape);
    }

    /**
     * Checks that {@code sql} is one expression that is complete in parentheses.
     *
     * @throws ToolException with the problem
     */
    public static String checkExpression(String sql) {
        List<SqlToken> tokens = SqlLexer.tokens(sql);
        if (tokens.isEmpty()) {
            throw invalid("'filter_conditions' holds no expression.");
        }
        refuseParameters(tokens);
        refuseFunctions(tokens);
        int depth = 0;
        for (SqlToken token : tokens) {
            depth += token.symbol('(') ? 1 : token.symbol(')') ? -1 : 0;
            if (depth < 0 || token.symbol(';')) {
                throw invalid("'filter_conditions' must be one boolean expression; \"" + token.text()
                        + "\" at character " + (token.start() + 1) + " ends it.");
            }
        }
        if (depth > 0) {
            throw invalid("'filter_conditions' has " + depth + " unclosed parentheses.");
        }
        return sql;
    }

    /** The tokens, of one statement. */
    private static List<SqlToken> single(List<SqlToken> tokens) {
        for (SqlToken token : tokens) {
            if (token.symbol(';')) {
                throw invalid("One statement per call: there is more after the semicolon at character "
                        + (token.start() + 1) + ". Send the statements one by one.");
            }
        }
        return tokens;
    }

    private static void refuseParameters(List<SqlToken> tokens) {
        for (SqlToken token : tokens) {
            if (token.kind() == SqlToken.TokenType.PARAMETER) {
                throw invalid("Parameters such as " + token.text() + " have no value here: write the value itself.");
            }
        }
    }

    private static void refuseFunctions(List<SqlToken> tokens) {
        for (int i = 0; i + 1 < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            if (token.name()
                    && tokens.get(i + 1).symbol('(')
                    && ForbiddenFunctions.function(token.text())
                    && !namesTable(tokens, i)) {
                throw denied("The function " + token.text()
                        + " is not available to queries: it acts beyond reading data, or runs SQL from a string.");
            }
        }
    }

    /**
     * Whether the name at {@code i}, before a parenthesis, names a table in the statement itself: after {@code AS}, or
     * at the beginning of {@code name (columns) AS (SELECT ...)}. A function in {@code FROM} may also be followed by
     * {@code AS (...)}, but then with columns, which can't begin like a query.
     */
    private static boolean namesTable(List<SqlToken> tokens, int i) {
        if (i == 0) {
            return false;
        }
        SqlToken before = tokens.get(i - 1);
        if (before.word("as")) {
            return true;
        }
        if (!before.word("with") && !before.word("recursive") && !before.symbol(',')) {
            return false;
        }
        int at = i + 2;
        while (at < tokens.size() && (tokens.get(at).name() || tokens.get(at).symbol(','))) {
            at++;
        }
        if (at + 1 >= tokens.size()
                || !tokens.get(at).symbol(')')
                || !tokens.get(at + 1).word("as")) {
            return false;
        }
        at += 2;
        while (at < tokens.size()
                && (tokens.get(at).word("not") || tokens.get(at).word("materialized"))) {
            at++;
        }
        if (at + 2 >= tokens.size() || !tokens.get(at).symbol('(')) {
            return false;
        }
        SqlToken first = tokens.get(at + 1);
        return first.symbol('(')
                || first.word("select")
                || first.word("with")
                || first.word("table")
                || (first.word("values") && tokens.get(at + 2).symbol('('));
    }

    private static ResultType shape(List<SqlToken> tokens) {
        SqlToken first = tokens.getFirst();
        if (first.word("explain")) {
            requireQuery(tokens.subList(explained(tokens), tokens.size()), "EXPLAIN of ");
            return ResultType.REPORT;
        }
        if (first.word("show")) {
            return ResultType.REPORT;
        }
        requireQuery(tokens, "");
        return ResultType.QUERY;
    }

    /** The index of the first token of the statement after {@code EXPLAIN} and its options. */
    private static int explained(List<SqlToken> tokens) {
        int i = 1;
        while (i < tokens.size()
                && (tokens.get(i).word("analyze")
                        || tokens.get(i).word("analyse")
                        || tokens.get(i).word("verbose"))) {
            i++;
        }
        if (i + 1 < tokens.size() && tokens.get(i).symbol('(') && !startsQuery(tokens.subList(i, tokens.size()))) {
            while (i < tokens.size() && !tokens.get(i).symbol(')')) {
                i++;
            }
            i++;
        }
        return Math.min(i, tokens.size());
    }

    private static boolean startsQuery(List<SqlToken> tokens) {
        return tokens.stream()
                .filter(token -> !token.symbol('('))
                .findFirst()
                .map(token -> token.kind() == SqlToken.TokenType.WORD && QUERY_STARTS.contains(token.text()))
                .orElse(false);
    }

    private static void requireQuery(List<SqlToken> tokens, String prefix) {
        if (startsQuery(tokens)) {
            return;
        }
        SqlToken start = tokens.isEmpty() ? null : tokens.getFirst();
        if (start != null && start.kind() == SqlToken.TokenType.WORD && DEFINITIONS.contains(start.text())) {
            throw readOnly(start.text());
        }
        String what = start == null ? "nothing" : start.text().toUpperCase(Locale.ROOT);
        throw denied(prefix + what
                + " is not available: send one SELECT, WITH, VALUES, TABLE, SHOW or EXPLAIN statement. Every statement"
                + " runs in a read-only transaction of its own.");
    }

    /**
     * Refuses what writes under a {@code WITH} in PostgreSQL's own words. The transaction would refuse it as well; but
     * standing in parentheses it would be called a syntax error.
     */
    private static void refuseNestedWrites(List<SqlToken> tokens) {
        boolean beforeMain = tokens.getFirst().word("with");
        int depth = 0;
        for (int i = 1; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            SqlToken previous = tokens.get(i - 1);
            depth += token.symbol('(') ? 1 : token.symbol(')') ? -1 : 0;
            if (token.kind() != SqlToken.TokenType.WORD) {
                continue;
            }
            boolean opensBody = previous.symbol('(')
                    && i > 1
                    && (tokens.get(i - 2).word("as") || tokens.get(i - 2).word("materialized"));
            boolean main = beforeMain && depth == 0 && previous.symbol(')');
            if ((opensBody || main) && WRITES.contains(token.text())) {
                throw readOnly(token.text());
            }
            // A reserved word: after AS or a dot it is a name, anywhere else it makes a table of the answer.
            if (token.word("into") && !previous.word("as") && !previous.symbol('.')) {
                throw readOnly("select into");
            }
            beforeMain &= !(main && QUERY_STARTS.contains(token.text()));
        }
    }

    private static ToolException readOnly(String word) {
        return new ToolException(new ToolReply.Failed(
                        FailureKind.DENIED,
                        "cannot execute " + word.toUpperCase(Locale.ROOT)
                                + " in a read-only transaction: this tool only reads. Ask with SELECT.")
                .withCode(READ_ONLY_VIOLATION));
    }

    private static ToolException invalid(String message) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, message);
    }

    private static ToolException denied(String message) {
        return new ToolException(FailureKind.DENIED, message);
    }
}
