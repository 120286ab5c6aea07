package switchboard.backend.agentroot.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import switchboard.backend.embedded.FrontMatterBlock;
import switchboard.text.YamlNesting;

/**
 * The values of a text's {@linkplain FrontMatterBlock front matter}; empty if there is none or it is not valid.
 *
 * @param values top-level keys in lower case
 * @param end start of the text after it
 */
record FrontMatter(Map<String, Object> values, int end) {
    FrontMatter {
        values = new LinkedHashMap<>(values);
    }

    static FrontMatter of(String text) {
        return FrontMatterBlock.of(text)
                .map(block -> new FrontMatter(read(text.substring(block.body(), block.close())), block.end()))
                .orElseGet(() -> new FrontMatter(Map.of(), 0));
    }

    private static Map<String, Object> read(String yaml) {
        if (YamlNesting.tooDeep(yaml)) {
            return Map.of();
        }
        LoadSettings settings = LoadSettings.builder()
                .setMaxAliasesForCollections(10)
                .setCodePointLimit(FrontMatterBlock.MAX_LENGTH)
                .setAllowDuplicateKeys(true)
                .build();
        Map<String, Object> values = new LinkedHashMap<>();
        try {
            if (new Load(settings).loadFromString(yaml) instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    if (key != null && value != null) {
                        values.put(key.toString().toLowerCase(java.util.Locale.ROOT), value);
                    }
                });
            }
        } catch (YamlEngineException | IllegalArgumentException _) {
            // Text between two rules that is not YAML is text.
            return Map.of();
        }
        return values;
    }

    /** A single value as text. */
    Optional<String> text(String key) {
        Object value = values.get(key);
        return value == null || value instanceof List<?> || value instanceof Map<?, ?>
                ? Optional.empty()
                : Optional.of(value.toString().strip()).filter(text -> !text.isEmpty());
    }

    /** A list, or a text with commas, as texts. */
    List<String> list(String key) {
        List<String> found = new ArrayList<>();
        if (values.get(key) instanceof List<?> list) {
            list.stream()
                    .filter(java.util.Objects::nonNull)
                    .map(Object::toString)
                    .forEach(found::add);
        } else {
            text(key).ifPresent(text -> found.addAll(List.of(text.split(","))));
        }
        return found.stream().map(String::strip).filter(item -> !item.isEmpty()).toList();
    }

    /** A map, or a list of {@code key:value}, as texts. */
    Map<String, String> map(String key) {
        Map<String, String> found = new LinkedHashMap<>();
        if (values.get(key) instanceof Map<?, ?> map) {
            map.forEach((name, value) -> found.put(
                    String.valueOf(name).strip(), String.valueOf(value).strip()));
        } else {
            for (String pair : list(key)) {
                int colon = pair.indexOf(':');
                if (colon > 0) {
                    found.put(
                            pair.substring(0, colon).strip(),
                            pair.substring(colon + 1).strip());
                }
            }
        }
        return found;
    }
}
