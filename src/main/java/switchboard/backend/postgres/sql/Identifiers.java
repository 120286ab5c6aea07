package switchboard.backend.postgres.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import switchboard.call.ToolException;

/** Names of tables and columns, in both directions. */
public final class Identifiers {
    private Identifiers() {}

    /** {@code name} as SQL: in double quotes, which are doubled inside. */
    public static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** {@code parts} as a qualified name in SQL. */
    public static String quote(String schema, String name) {
        return quote(schema) + '.' + quote(name);
    }

    /**
     * The parts of a possibly qualified name as PostgreSQL reads them: quoted parts unchanged, others in lower case.
     * Empty if {@code text} is not a name.
     */
    public static Optional<List<String>> folded(String text) {
        List<String> parts = new ArrayList<>();
        List<SqlToken> tokens;
        try {
            tokens = SqlLexer.tokens(text);
        } catch (ToolException none) {
            return Optional.empty();
        }
        for (int i = 0; i < tokens.size(); i++) {
            SqlToken token = tokens.get(i);
            if (i % 2 == 0 ? !token.name() : !token.symbol('.')) {
                return Optional.empty();
            }
            if (token.name()) {
                parts.add(token.text());
            }
        }
        return tokens.size() % 2 == 0 ? Optional.empty() : Optional.of(List.copyOf(parts));
    }

    /**
     * The parts of a possibly qualified name of a caller: {@code docs}, {@code public.docs}, {@code "Mixed
     * Case".docs}. Dots in double quotes don't separate. Unquoted parts keep their case.
     */
    public static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                part.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == '.' && !quoted) {
                parts.add(part.toString().strip());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString().strip());
        return parts;
    }
}
