package switchboard.backend.postgres.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Splits SQL into tokens by PostgreSQL's lexical rules with {@code standard_conforming_strings} on, which the session
 * sets: strings with doubled quotes, escape strings, dollar quotes, continued strings, nested comments, quoted
 * identifiers. It refuses what it can't parse with certainty, so that no token can be hidden.
 */
public final class SqlLexer {
    private static final Pattern DOLLAR_TAG =
            Pattern.compile("\\$(?:[A-Za-z_\\x80-\\x{10FFFF}][\\w\\x80-\\x{10FFFF}]*)?\\$");
    private static final Pattern NUMBER = Pattern.compile(
            "0[xX][0-9A-Fa-f_]+|0[oO][0-7_]+|0[bB][01_]+|(?:[0-9][0-9_]*(?:\\.(?!\\.)[0-9_]*)?|\\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?");
    private static final Pattern PARAMETER = Pattern.compile("\\$[0-9]+");
    private static final Pattern URL = Pattern.compile("(?i)postgres(?:ql)?://[^\\s'\";)]*");

    private final String sql;
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;

    private SqlLexer(String sql) {
        this.sql = sql;
    }

    /**
     * The tokens of {@code sql}.
     *
     * @throws ToolException if a string, identifier or comment does not end, or the text contains something that is
     *     never accepted (the character NUL, identifiers with Unicode escapes)
     */
    public static List<SqlToken> tokens(String sql) {
        int nul = sql.indexOf('\0');
        if (nul >= 0) {
            throw refused("the character NUL", nul);
        }
        SqlLexer lexer = new SqlLexer(sql);
        while (lexer.at < sql.length()) {
            lexer.next();
        }
        return List.copyOf(lexer.tokens);
    }

    /** {@code tokens} without the semicolons at their end. */
    static List<SqlToken> withoutClosingSemicolons(List<SqlToken> tokens) {
        int end = tokens.size();
        while (end > 0 && tokens.get(end - 1).symbol(';')) {
            end--;
        }
        return tokens.subList(0, end);
    }

    private void next() {
        char c = sql.charAt(at);
        if (isSpace(c)) {
            at++;
        } else if (sql.startsWith("--", at)) {
            at = lineEnd(at);
        } else if (sql.startsWith("/*", at)) {
            at = commentEnd(at);
        } else if (c == '\'') {
            add(SqlToken.TokenType.STRING, plainString(at));
        } else if (c == '"') {
            quotedIdentifier();
        } else if (c == '$') {
            dollar();
        } else if (startsNumber()) {
            add(SqlToken.TokenType.NUMBER, matchEnd(NUMBER));
        } else if (isIdentifierStart(c)) {
            word();
        } else {
            add(SqlToken.TokenType.SYMBOL, at + Character.charCount(sql.codePointAt(at)));
        }
    }

    private void add(SqlToken.TokenType kind, int end) {
        tokens.add(new SqlToken(kind, sql.substring(at, end), at, end));
        at = end;
    }

    private int matchEnd(Pattern pattern) {
        Matcher matcher = pattern.matcher(sql).region(at, sql.length());
        return matcher.lookingAt() ? matcher.end() : at + 1;
    }

    private boolean startsNumber() {
        char c = sql.charAt(at);
        return isDigit(c) || (c == '.' && at + 1 < sql.length() && isDigit(sql.charAt(at + 1)));
    }

    /** A word, or one of the prefixes that change how the string after them is read. */
    private void word() {
        int end = at;
        while (end < sql.length() && isIdentifierPart(sql.charAt(end))) {
            end++;
        }
        String text = foldAscii(sql.substring(at, end));
        char following = end < sql.length() ? sql.charAt(end) : ' ';
        if (following == '\'' && text.equals("e")) {
            add(SqlToken.TokenType.STRING, escapeString(end));
        } else if (following == '\'' && (text.equals("b") || text.equals("x") || text.equals("n"))) {
            add(SqlToken.TokenType.STRING, plainString(end));
        } else if (following == '&' && text.equals("u") && end + 1 < sql.length()) {
            unicodePrefixed(end + 1);
        } else if (text.equals("postgres") || text.equals("postgresql")) {
            int urlEnd = matchEnd(URL);
            if (urlEnd > end) {
                add(SqlToken.TokenType.URL, urlEnd);
            } else {
                plainWord(text, end);
            }
        } else {
            plainWord(text, end);
        }
    }

    private void plainWord(String folded, int end) {
        tokens.add(new SqlToken(SqlToken.TokenType.WORD, folded, at, end));
        at = end;
    }

    private void unicodePrefixed(int quote) {
        switch (sql.charAt(quote)) {
            case '\'' -> add(SqlToken.TokenType.STRING, plainString(quote));
            case '"' -> throw refused("an identifier with Unicode escapes (U&\"...\"): write its characters", at);
            default -> {
                plainWord("u", at + 1);
            }
        }
    }

    /** The end of the string with the opening quote at {@code quote}, including continuations on following lines. */
    private int plainString(int quote) {
        int i = quote + 1;
        while (i < sql.length()) {
            if (sql.charAt(i) != '\'') {
                i++;
            } else if (doubled(i, '\'')) {
                i += 2;
            } else {
                int continued = continuation(i + 1);
                if (continued < 0) {
                    return i + 1;
                }
                i = continued + 1;
            }
        }
        throw unterminated("quoted string", quote);
    }

    private int escapeString(int quote) {
        int i = quote + 1;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (c == '\\' || doubled(i, '\'')) {
                i += 2;
            } else if (c != '\'') {
                i++;
            } else {
                int continued = continuation(i + 1);
                if (continued < 0) {
                    return i + 1;
                }
                i = continued + 1;
            }
        }
        throw unterminated("quoted string", quote);
    }

    /** The position of the quote that continues a string after white space with a line break, or -1. */
    private int continuation(int from) {
        boolean newLine = false;
        int i = from;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (isSpace(c)) {
                newLine |= c == '\n' || c == '\r';
                i++;
            } else if (sql.startsWith("--", i)) {
                i = lineEnd(i);
            } else {
                return newLine && c == '\'' ? i : -1;
            }
        }
        return -1;
    }

    private void quotedIdentifier() {
        StringBuilder name = new StringBuilder();
        int i = at + 1;
        while (i < sql.length()) {
            char c = sql.charAt(i);
            if (c != '"') {
                name.append(c);
                i++;
            } else if (doubled(i, '"')) {
                name.append('"');
                i += 2;
            } else {
                tokens.add(new SqlToken(SqlToken.TokenType.QUOTED, name.toString(), at, i + 1));
                at = i + 1;
                return;
            }
        }
        throw unterminated("quoted identifier", at);
    }

    private void dollar() {
        Matcher tag = DOLLAR_TAG.matcher(sql).region(at, sql.length());
        if (tag.lookingAt()) {
            int close = sql.indexOf(tag.group(), tag.end());
            if (close < 0) {
                throw unterminated("dollar-quoted string", at);
            }
            add(SqlToken.TokenType.STRING, close + tag.group().length());
        } else {
            int end = matchEnd(PARAMETER);
            add(end > at + 1 ? SqlToken.TokenType.PARAMETER : SqlToken.TokenType.SYMBOL, end);
        }
    }

    private int lineEnd(int from) {
        int i = from;
        while (i < sql.length() && sql.charAt(i) != '\n' && sql.charAt(i) != '\r') {
            i++;
        }
        return i;
    }

    private int commentEnd(int from) {
        int depth = 0;
        int i = from;
        while (i < sql.length()) {
            if (sql.startsWith("/*", i)) {
                depth++;
                i += 2;
            } else if (sql.startsWith("*/", i)) {
                depth--;
                i += 2;
                if (depth == 0) {
                    return i;
                }
            } else {
                i++;
            }
        }
        throw unterminated("comment", from);
    }

    private boolean doubled(int i, char quote) {
        return i + 1 < sql.length() && sql.charAt(i) == quote && sql.charAt(i + 1) == quote;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isIdentifierStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    private static boolean isIdentifierPart(char c) {
        return isIdentifierStart(c) || isDigit(c) || c == '$';
    }

    static String foldAscii(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            folded.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
        }
        return folded.toString();
    }

    private static ToolException unterminated(String what, int start) {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "The " + what + " that starts at character " + (start + 1) + " does not end. Close it.");
    }

    private static ToolException refused(String what, int start) {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "SQL must not hold " + what + " (at character " + (start + 1) + "). Leave it out.");
    }
}
