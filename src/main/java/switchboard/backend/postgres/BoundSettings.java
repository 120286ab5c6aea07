package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import switchboard.call.Binding;
import switchboard.call.Caller;

/**
 * Settings of a transaction that tell row-level security who asks: bindings whose names have a dot, such as
 * {@code app.user}, which policies read by {@code current_setting('app.user', true)}. Only for SQL of the gateway and of its
 * operator: SQL of callers could change them.
 *
 * @param values by name; a list is the text of an array, such as <code>{"staff","managers"}</code>
 */
record BoundSettings(Map<String, String> values) {
    /** No settings. */
    static final BoundSettings NONE = new BoundSettings(Map.of());

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})+");
    private static final String SET = "SELECT pg_catalog.set_config($1, $2, true)";

    /** Whether a binding of that name is a setting. */
    static boolean isSetting(String binding) {
        return NAME.matcher(binding).matches();
    }

    /**
     * The settings of a caller.
     *
     * @throws switchboard.call.ToolException {@code DENIED} if it lacks a claim for one
     */
    static BoundSettings of(Caller caller) {
        Map<String, String> values = new TreeMap<>();
        for (String name : caller.bindings().keySet()) {
            if (isSetting(name)) {
                caller.binding(name).ifPresent(binding -> values.put(name, value(binding)));
            }
        }
        return new BoundSettings(values);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** Sets them until the end of the transaction. */
    Future<Void> apply(SqlConnection connection) {
        List<Tuple> all = values.entrySet().stream()
                .map(setting -> Tuple.of(setting.getKey(), setting.getValue()))
                .toList();
        return connection.preparedQuery(SET).executeBatch(all).mapEmpty();
    }

    private static String value(Binding binding) {
        return binding.list() ? array(binding.values()) : binding.value();
    }

    private static String array(List<String> texts) {
        return texts.stream()
                .map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }
}
