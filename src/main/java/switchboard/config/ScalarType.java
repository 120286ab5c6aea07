package switchboard.config;

import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A type that is written as one YAML scalar.
 *
 * @param label its name in the reference
 * @param plainOnly whether a quoted value is refused
 * @param read parses a text, or throws {@link IllegalArgumentException} with the rest of a sentence that begins with
 *     the value
 */
record ScalarType(String label, boolean plainOnly, Function<String, Object> read) {
    private static final Map<Class<?>, ScalarType> KNOWN = Map.ofEntries(
            Map.entry(String.class, new ScalarType("text", false, text -> text)),
            Map.entry(boolean.class, new ScalarType("boolean", true, ScalarType::bool)),
            Map.entry(Boolean.class, new ScalarType("boolean", true, ScalarType::bool)),
            Map.entry(int.class, new ScalarType("integer", true, ScalarType::integer)),
            Map.entry(Integer.class, new ScalarType("integer", true, ScalarType::integer)),
            Map.entry(long.class, new ScalarType("integer", true, ScalarType::longInteger)),
            Map.entry(Long.class, new ScalarType("integer", true, ScalarType::longInteger)),
            Map.entry(double.class, new ScalarType("number", true, ScalarType::number)),
            Map.entry(Double.class, new ScalarType("number", true, ScalarType::number)),
            Map.entry(BigDecimal.class, new ScalarType("number", true, ScalarType::decimal)),
            Map.entry(Duration.class, new ScalarType("duration", false, DurationText::parse)),
            Map.entry(Size.class, new ScalarType("size", false, Size::parse)),
            Map.entry(Secret.class, new ScalarType("secret", false, Secret::of)),
            Map.entry(URI.class, new ScalarType("URL", false, ScalarType::uri)),
            Map.entry(Instant.class, new ScalarType("date", false, ScalarType::instant)),
            Map.entry(PemFile.class, new ScalarType("path", false, text -> PemFile.of(ScalarType.path(text)))),
            Map.entry(Path.class, new ScalarType("path", false, ScalarType::path)));

    /** The scalar type of a class, if it has one. */
    static Optional<ScalarType> of(Class<?> type) {
        return type.isEnum() ? Optional.of(enumeration(type)) : Optional.ofNullable(KNOWN.get(type));
    }

    private static ScalarType enumeration(Class<?> type) {
        List<Object> constants = Arrays.asList((Object[]) type.getEnumConstants());
        String words = constants.stream().map(ScalarType::word).collect(Collectors.joining(", "));
        return new ScalarType("one of " + words, false, text -> constants.stream()
                .filter(constant -> word(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is not one of " + words)));
    }

    private static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Object bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is not true or false");
        };
    }

    private static Object integer(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a whole number", e);
        }
    }

    private static Object longInteger(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a whole number", e);
        }
    }

    private static Object number(String text) {
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a number", e);
        }
        throw new IllegalArgumentException("is not a finite number");
    }

    private static Object decimal(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a number", e);
        }
    }

    private static Object uri(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getScheme() != null && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a URL (" + e.getReason() + ")", e);
        }
        throw new IllegalArgumentException("is not a URL such as http://host:7700");
    }

    private static Object instant(String text) {
        try {
            return text.contains("T")
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("is not a date such as 2027-01-31 or 2027-01-31T12:00:00Z", e);
        }
    }

    private static Path path(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is empty, which would be the folder that other paths are relative to");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is not a path (" + e.getReason() + ")", e);
        }
    }
}
