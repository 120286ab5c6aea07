package switchboard.backend.postgres.sql;

/**
 * A lexical element of SQL. Comments and white space are not tokens.
 *
 * @param kind its type
 * @param text for a {@link TokenType#WORD} in lower case like PostgreSQL (ASCII only), for {@link TokenType#QUOTED}
 *     the name between the quotes, otherwise as written
 * @param start index of its first character in the SQL
 * @param end index after its last character
 */
public record SqlToken(TokenType kind, String text, int start, int end) {
    /** The kinds of tokens. */
    public enum TokenType {
        /** A keyword or an unquoted identifier. */
        WORD,
        /** An identifier in double quotes. */
        QUOTED,
        /** A string constant of any form; its contents don't matter here. */
        STRING,
        /** A number. */
        NUMBER,
        /** A positional parameter such as {@code $1}. */
        PARAMETER,
        /** {@code postgres://...} or {@code postgresql://...}, which can't occur in SQL itself. */
        URL,
        /** One character of an operator or punctuation. */
        SYMBOL
    }

    /** Whether this is the keyword or unquoted identifier {@code word}, given in lower case. */
    public boolean word(String word) {
        return kind == TokenType.WORD && text.equals(word);
    }

    /** Whether this is the character {@code symbol}. */
    public boolean symbol(char symbol) {
        return kind == TokenType.SYMBOL && text.charAt(0) == symbol;
    }

    /** Whether this names something: a word or a quoted identifier. */
    public boolean name() {
        return kind == TokenType.WORD || kind == TokenType.QUOTED;
    }
}
