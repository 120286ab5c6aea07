package switchboard.config;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads single values: resolves references, checks type and range. */
final class ScalarBinder {
    private final Problems problems;
    private final ReferenceResolver references;

    ScalarBinder(Problems problems, ReferenceResolver references) {
        this.problems = problems;
        this.references = references;
    }

    /** Reads the value of a key in the file. */
    BindingResult read(Class<?> type, Node node, String path, @Nullable AllowedRange range) {
        ScalarType scalarType = scalarType(type);
        if (!(node instanceof ScalarNode scalar)) {
            problems.add(node, path + " is a single value (" + scalarType.label() + "), not a list or a section");
            return BindingResult.INVALID;
        }
        String written = scalar.getValue();
        try {
            if (ReferenceResolver.isReference(written) && type == Secret.class) {
                return new BindingResult.Value(references.secret(written));
            }
            if (ReferenceResolver.isReference(written)) {
                return new BindingResult.Value(referenced(scalarType, written, range));
            }
            if (type == Secret.class) {
                throw new IllegalArgumentException(
                        path + " is a secret: give it as ${env:NAME} or ${file:PATH}, not in this file");
            }
            if (scalarType.plainOnly() && scalar.getScalarStyle() != ScalarStyle.PLAIN) {
                throw new IllegalArgumentException(path + " is written without quotes (" + scalarType.label() + ")");
            }
            return new BindingResult.Value(parsed(scalarType, written, range, path + " \"" + written + "\" "));
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            problems.add(node, message.startsWith(path) ? message : path + " " + written + ": " + message);
            return BindingResult.INVALID;
        }
    }

    /** Reads the value of a command-line option. */
    BindingResult flag(RecordComponent component, Overrides.Flag flag) {
        try {
            return new BindingResult.Value(parsed(
                    scalarType(component.getType()),
                    flag.text(),
                    component.getAnnotation(AllowedRange.class),
                    "\"" + flag.text() + "\" "));
        } catch (IllegalArgumentException e) {
            problems.add(flag.name(), String.valueOf(e.getMessage()));
            return BindingResult.INVALID;
        }
    }

    /** Reads the default of a key, written as YAML. An invalid default is a defect. */
    BindingResult preset(RecordComponent component, String yaml) {
        if (!(ConfigLoader.node(yaml) instanceof ScalarNode scalar)) {
            throw new IllegalStateException("the default of " + component + " is not a single value");
        }
        return new BindingResult.Value(parsed(
                scalarType(component.getType()),
                scalar.getValue(),
                component.getAnnotation(AllowedRange.class),
                component + " "));
    }

    private Object referenced(ScalarType type, String reference, @Nullable AllowedRange range) {
        String found = references.resolve(reference);
        return parsed(type, found, range, "the value found ");
    }

    private static Object parsed(ScalarType type, String text, @Nullable AllowedRange range, String subject) {
        Object value;
        try {
            value = type.read().apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(subject + e.getMessage(), e);
        }
        if (range != null && !within(type, value, range)) {
            throw new IllegalArgumentException(subject + "is outside the range " + range.min() + " to " + range.max());
        }
        return value;
    }

    private static boolean within(ScalarType type, Object value, AllowedRange range) {
        Function<String, Object> read = type.read();
        return compare(value, read.apply(range.min())) >= 0 && compare(value, read.apply(range.max())) <= 0;
    }

    private static int compare(Object left, Object right) {
        return switch (left) {
            case Integer number -> number.compareTo((Integer) right);
            case Long number -> number.compareTo((Long) right);
            case Double number -> number.compareTo((Double) right);
            case Duration duration -> duration.compareTo((Duration) right);
            case Size size -> size.compareTo((Size) right);
            default -> throw new IllegalStateException("@Range on " + left.getClass());
        };
    }

    private static ScalarType scalarType(Class<?> type) {
        return ScalarType.of(type)
                .orElseThrow(() -> new IllegalStateException("no way to read " + type + " from a configuration"));
    }
}
