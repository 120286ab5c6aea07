package switchboard.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Converts a YAML tree to a tree of records: component names are keys, and component types decide how values are read.
 * Continues after a problem, so that all of them are found.
 */
final class RecordBinder {
    /** The key that entries of {@code backends:} have for every type. */
    static final RecordComponent REQUIRED = BackendConfig.class.getRecordComponents()[1];

    private final Problems problems;
    private final ScalarBinder scalars;
    private final Overrides overrides;
    private final Map<String, Class<? extends Record>> backendTypes;
    private final Map<String, String> locations = new LinkedHashMap<>();

    RecordBinder(
            Problems problems,
            ReferenceResolver references,
            Overrides overrides,
            Map<String, Class<? extends Record>> backendTypes) {
        this.problems = problems;
        this.scalars = new ScalarBinder(problems, references);
        this.overrides = overrides;
        this.backendTypes = backendTypes;
    }

    /** The place where a key was set: {@code file:line}, an option, or its section if the key is missing. */
    String location(String path) {
        return locations.getOrDefault(path, path);
    }

    /** Reads a record from the keys of {@code section}, except those in {@code consumed}. */
    BindingResult record(Class<?> type, Section section, String path, Set<String> consumed) {
        RecordComponent[] components = type.getRecordComponents();
        Set<String> known = new LinkedHashSet<>(consumed);
        Arrays.stream(components).map(RecordComponent::getName).forEach(known::add);
        section.refuseOthers(known, path, problems);
        @Nullable Object[] values = new Object[components.length];
        boolean complete = true;
        for (int i = 0; i < components.length; i++) {
            switch (component(components[i], section, path)) {
                case BindingResult.Value(var value) -> values[i] = value;
                case BindingResult.Invalid _ -> complete = false;
            }
        }
        return complete ? construct(type, components, values, section) : BindingResult.INVALID;
    }

    private BindingResult component(RecordComponent component, Section section, String parent) {
        String name = component.getName();
        String path = parent.isEmpty() ? name : parent + "." + name;
        Overrides.Flag flag = overrides.values().get(path);
        if (flag != null) {
            locations.put(path, flag.name());
            return ScalarType.of(component.getType()).isPresent()
                    ? scalars.flag(component, flag)
                    : value(component.getGenericType(), ConfigLoader.node(flag.text()), path, null);
        }
        String where = section.where(name, problems);
        locations.put(path, where);
        Optional<Node> node = section.value(name);
        if (node.isPresent() && !isNull(node.get())) {
            return value(component.getGenericType(), node.get(), path, component.getAnnotation(AllowedRange.class));
        }
        return absent(component, where, path, node.isPresent());
    }

    private BindingResult absent(RecordComponent component, String where, String path, boolean written) {
        Class<?> type = component.getType();
        if (isSection(type) && !isNullable(component)) {
            return record(type, Section.absent(where), path, Set.of());
        }
        if (isNullable(component)) {
            return new BindingResult.Value(null);
        }
        if (type == List.class) {
            return new BindingResult.Value(List.of());
        }
        if (type == Set.class) {
            return new BindingResult.Value(Set.of());
        }
        if (type == Map.class) {
            return new BindingResult.Value(Map.of());
        }
        Default otherwise = component.getAnnotation(Default.class);
        if (written || otherwise == null) {
            problems.add(
                    where,
                    written
                            ? path + " has no value" + (otherwise == null ? "" : "; leave it out for the default")
                            : path + " is missing");
            return BindingResult.INVALID;
        }
        return scalars.preset(component, otherwise.value());
    }

    private BindingResult value(Type type, Node node, String path, @Nullable AllowedRange range) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == Map.class) {
                return map(arguments[1], node, path);
            }
            return list(arguments[0], node, path, generic.getRawType() == Set.class);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == BackendConfig.class) {
            return section(node, path).map(s -> backend(s, path)).orElse(BindingResult.INVALID);
        }
        if (plain == JsonNode.class) {
            return open(node, path);
        }
        if (isSection(plain)) {
            return section(node, path)
                    .map(s -> record(plain, s, path, Set.of()))
                    .orElse(BindingResult.INVALID);
        }
        return scalars.read(plain, node, path, range);
    }

    private BindingResult open(Node node, String path) {
        try {
            return new BindingResult.Value(YamlToJson.of(node));
        } catch (IllegalArgumentException e) {
            problems.add(node, path + " " + e.getMessage());
            return BindingResult.INVALID;
        }
    }

    private BindingResult list(Type element, Node node, String path, boolean distinct) {
        if (!(node instanceof SequenceNode sequence)) {
            problems.add(node, path + " is a list: write [a, b], or one \"- a\" a line");
            return BindingResult.INVALID;
        }
        List<Object> values = new ArrayList<>();
        boolean complete = true;
        for (Node item : sequence.getValue()) {
            switch (value(element, item, path + "[" + values.size() + "]", null)) {
                case BindingResult.Value(var value) when value != null -> values.add(value);
                case BindingResult.Value _, BindingResult.Invalid _ -> complete = false;
            }
        }
        return complete
                ? new BindingResult.Value(distinct ? new LinkedHashSet<>(values) : values)
                : BindingResult.INVALID;
    }

    private BindingResult map(Type element, Node node, String path) {
        Optional<Section> section = section(node, path);
        if (section.isEmpty()) {
            return BindingResult.INVALID;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        boolean complete = true;
        for (String key : section.get().keys()) {
            String child = path + "." + key;
            String where = section.get().where(key, problems);
            locations.put(child, where);
            Node item = section.get().value(key).orElseThrow();
            BindingResult bound = isNull(item) && element instanceof Class<?> type && type.isRecord()
                    ? mapped(type, Section.absent(where), child)
                    : value(element, item, child, null);
            switch (bound) {
                case BindingResult.Value(var value) when value != null -> values.put(key, value);
                case BindingResult.Value _, BindingResult.Invalid _ -> complete = false;
            }
        }
        return complete ? new BindingResult.Value(values) : BindingResult.INVALID;
    }

    private BindingResult mapped(Class<?> type, Section section, String path) {
        return type == BackendConfig.class ? backend(section, path) : record(type, section, path, Set.of());
    }

    private BindingResult backend(Section section, String path) {
        Optional<Node> type = section.value("type");
        if (type.isEmpty() || !(type.get() instanceof ScalarNode scalar)) {
            problems.add(
                    section.where(), path + ".type is missing; types are " + String.join(", ", backendTypes.keySet()));
            return BindingResult.INVALID;
        }
        Class<? extends Record> settings = backendTypes.get(scalar.getValue());
        if (settings == null) {
            problems.add(
                    scalar,
                    path + ".type \"" + scalar.getValue() + "\" is not a backend type"
                            + UnknownNames.suggestion(scalar.getValue(), backendTypes.keySet()));
            return BindingResult.INVALID;
        }
        BindingResult required = component(REQUIRED, section, path);
        BindingResult bound = record(settings, section, path, Set.of("type", REQUIRED.getName()));
        return required instanceof BindingResult.Value(Boolean needed)
                        && bound instanceof BindingResult.Value(Record value)
                ? new BindingResult.Value(new BackendConfig(scalar.getValue(), needed, value))
                : BindingResult.INVALID;
    }

    private Optional<Section> section(Node node, String path) {
        if (node instanceof MappingNode mapping) {
            return Optional.of(Section.of(mapping, problems.where(node), problems));
        }
        problems.add(node, path + " is a section with keys of its own, not a single value");
        return Optional.empty();
    }

    private BindingResult construct(
            Class<?> type, RecordComponent[] components, @Nullable Object[] values, Section section) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new BindingResult.Value(constructor.newInstance(values));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                problems.add(section.where(), String.valueOf(refused.getMessage()));
                return BindingResult.INVALID;
            }
            throw new IllegalStateException("the constructor of " + type.getName() + " failed", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " can't be constructed", e);
        }
    }

    /** Whether a type is written as a section with keys: a record without a form as a single value. */
    static boolean isSection(Class<?> type) {
        return type.isRecord()
                && type != BackendConfig.class
                && ScalarType.of(type).isEmpty();
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
