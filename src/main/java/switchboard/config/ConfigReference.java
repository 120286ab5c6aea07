package switchboard.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Generates the reference of all keys from the configuration records. */
public final class ConfigReference {
    /**
     * One key.
     *
     * @param path its path, {@code server.port}; {@code <name>} is a name that the operator chooses
     * @param type the type of its value
     * @param otherwise its default; empty if there is none to mention
     * @param meaning what it does
     */
    public record ConfigKey(String path, String type, String otherwise, String meaning) {}

    private ConfigReference() {}

    /** The keys of the gateway, without those inside an entry of {@code backends:}. */
    public static List<ConfigKey> gateway() {
        return keys(GatewayConfig.class, "");
    }

    /** The keys of an entry of {@code backends:} with the settings record {@code settings}, without {@code type}. */
    public static List<ConfigKey> backend(Class<? extends Record> settings) {
        List<ConfigKey> keys = new ArrayList<>(List.of(key(RecordBinder.REQUIRED, "")));
        keys.addAll(keys(settings, ""));
        return keys;
    }

    /** The keys of the teams file. */
    public static List<ConfigKey> teams() {
        return keys(TeamsConfig.class, "");
    }

    /** The whole reference page, with the given backend types. */
    public static String page(Map<String, Class<? extends Record>> backendTypes) {
        StringBuilder page = new StringBuilder("""
            # Configuration

            Generated from the code; do not edit. Regenerate with
            `mvn test -Dtest=GeneratedDocsTest -Ddocs.write=true`.

            The file is `conf/switchboard.yaml` unless `--config` names another one; the flags `--host`, `--port`,
            `--management-port` and `--data` win over it. It is read strictly: unknown keys, keys that are there
            twice, values of the wrong type or out of range keep the gateway from starting, and
            `switchboard check-config` lists all of them with their lines.

            * duration: a whole number with a unit, `250ms`, `60s`, `5m`, `1h`, `1d`
            * size: a whole number with a unit, `512B`, `64KiB`, `4MiB`, `1GiB`
            * secret: `${env:NAME}` or `${file:PATH}`, never the text itself. Every other single value may be
              written so, too. `PATH` is relative to the file's folder.

            ## The gateway

            """);
        table(page, gateway());
        new TreeMap<>(backendTypes).forEach((type, settings) -> {
            page.append("\n## Backends of type `").append(type).append("`\n\n");
            page.append("Keys of an entry of `backends:` besides `type: ")
                    .append(type)
                    .append("`.\n\n");
            table(page, backend(settings));
        });
        page.append("\n## The teams file\n\nRead where `auth.mode` is `keys`, from `auth.teamsFile`.\n\n");
        table(page, teams());
        return page.toString();
    }

    private static void table(StringBuilder page, List<ConfigKey> keys) {
        page.append("| Key | Value | Default | Meaning |\n|---|---|---|---|\n");
        for (ConfigKey key : keys) {
            page.append("| `")
                    .append(key.path())
                    .append("` | ")
                    .append(key.type())
                    .append(" | ")
                    .append(key.otherwise())
                    .append(" | ")
                    .append(key.meaning().replace("|", "\\|"))
                    .append(" |\n");
        }
    }

    private static List<ConfigKey> keys(Class<?> record, String parent) {
        List<ConfigKey> keys = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            ConfigKey key = key(component, parent);
            keys.add(key);
            keys.addAll(nested(component.getGenericType(), key.path()));
        }
        return keys;
    }

    private static ConfigKey key(RecordComponent component, String parent) {
        String path = parent.isEmpty() ? component.getName() : parent + "." + component.getName();
        Doc doc = component.getAnnotation(Doc.class);
        return new ConfigKey(path, type(component), otherwise(component), doc == null ? "" : doc.value());
    }

    private static List<ConfigKey> nested(Type type, String path) {
        if (type instanceof ParameterizedType generic) {
            Type element = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            return nested(element, path + (generic.getRawType() == Map.class ? ".<name>" : "[]"));
        }
        return type instanceof Class<?> plain && RecordBinder.isSection(plain) ? keys(plain, path) : List.of();
    }

    private static String type(RecordComponent component) {
        String type = type(component.getGenericType());
        AllowedRange range = component.getAnnotation(AllowedRange.class);
        return range == null ? type : type + ", " + range.min() + " to " + range.max();
    }

    private static String type(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == Map.class
                    ? "by name, " + type(arguments[1])
                    : "list of " + type(arguments[0]);
        }
        Class<?> plain = (Class<?>) type;
        return ScalarType.of(plain)
                .map(ScalarType::label)
                .orElse(plain == BackendConfig.class || RecordBinder.isSection(plain) ? "section" : "any value");
    }

    private static String otherwise(RecordComponent component) {
        Default preset = component.getAnnotation(Default.class);
        if (preset != null) {
            return "`" + preset.value() + "`";
        }
        boolean optional = RecordBinder.isNullable(component)
                || component.getGenericType() instanceof ParameterizedType
                || RecordBinder.isSection(component.getType());
        return optional ? "" : "required";
    }
}
