package switchboard.backend.postgres.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A query with named parameters, rewritten to PostgreSQL's numbered ones. Immutable.
 *
 * <p>Each parameter gets its type, so that the server reads it as it is sent. A parameter that the query itself casts
 * to a vector keeps that type: as a text, it would be parsed again for each row, which costs more than the search.
 *
 * @param sql with {@code $1::bigint}, {@code $2::text}, ... instead of names
 * @param order the parameter of each number
 */
public record NumberedParameters(String sql, List<String> order) {
    /** Types of pgvector, which every client sends as text. */
    private static final Set<String> VECTORS = Set.of("vector", "halfvec", "sparsevec");

    /** A use of a parameter, with the vector type that it is cast to, or an empty text. */
    private record Use(String name, int start, int end, String vector) {}

    /**
     * Replaces {@code :name} by numbers. A colon in a cast, a slice or a string stays.
     *
     * @param types the parameters with the names of their PostgreSQL types; empty if the query decides the type
     */
    public static NumberedParameters of(String sql, Map<String, String> types) {
        List<Use> uses = uses(sql, types.keySet());
        Set<String> inferred = inferred(uses);
        Map<String, Integer> numbers = new HashMap<>();
        List<String> order = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int copied = 0;
        for (Use use : uses) {
            int number = numbers.computeIfAbsent(use.name(), name -> {
                order.add(name);
                return order.size();
            });
            text.append(sql, copied, use.start()).append('$').append(number);
            String type = types.getOrDefault(use.name(), "");
            if (!type.isEmpty() && !inferred.contains(use.name())) {
                text.append("::").append(type);
            }
            copied = use.end();
        }
        return new NumberedParameters(text.append(sql, copied, sql.length()).toString(), List.copyOf(order));
    }

    private static List<Use> uses(String sql, Set<String> names) {
        List<SqlToken> tokens = SqlLexer.tokens(sql);
        List<Use> uses = new ArrayList<>();
        for (int i = 0; i + 1 < tokens.size(); i++) {
            SqlToken colon = tokens.get(i);
            SqlToken word = tokens.get(i + 1);
            boolean cast =
                    i > 0 && tokens.get(i - 1).symbol(':') && tokens.get(i - 1).end() == colon.start();
            if (!colon.symbol(':') || cast || word.start() != colon.end() || !word.name()) {
                continue;
            }
            String name = sql.substring(word.start(), word.end());
            if (names.contains(name)) {
                uses.add(new Use(name, colon.start(), word.end(), vector(tokens, i)));
            }
        }
        return uses;
    }

    /** The vector type that the parameter at {@code colon} is made, by {@code ::type} or {@code CAST(... AS type)}. */
    private static String vector(List<SqlToken> tokens, int colon) {
        int after = colon + 2;
        boolean doubled = symbol(tokens, after, ':') && symbol(tokens, after + 1, ':');
        boolean called = colon > 1
                && symbol(tokens, colon - 1, '(')
                && tokens.get(colon - 2).word("cast")
                && after < tokens.size()
                && tokens.get(after).word("as");
        int type = doubled ? after + 2 : after + 1;
        if (!(doubled || called) || type >= tokens.size()) {
            return "";
        }
        String schema = "";
        if (symbol(tokens, type + 1, '.') && type + 2 < tokens.size()) {
            schema = tokens.get(type).text() + ".";
            type += 2;
        }
        String name = tokens.get(type).text();
        return VECTORS.contains(name) && !symbol(tokens, type + 1, '[') ? schema + name : "";
    }

    private static boolean symbol(List<SqlToken> tokens, int at, char symbol) {
        return at < tokens.size() && tokens.get(at).symbol(symbol);
    }

    /** The parameters that are made the same vector type wherever they stand: the server would not choose among several. */
    private static Set<String> inferred(List<Use> uses) {
        Map<String, Set<String>> made = new HashMap<>();
        uses.forEach(
                use -> made.computeIfAbsent(use.name(), _ -> new HashSet<>()).add(use.vector()));
        Set<String> inferred = new HashSet<>();
        made.forEach((name, types) -> {
            if (types.size() == 1 && !types.contains("")) {
                inferred.add(name);
            }
        });
        return inferred;
    }
}
