package switchboard.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Resolves {@code ${env:NAME}} and {@code ${file:PATH}}. Messages never contain the resolved value. */
final class ReferenceResolver {
    private static final Pattern FORM = Pattern.compile("\\$\\{(env|file):([^}]+)}");

    private final Path folder;
    private final Map<String, String> environment;

    /** Resolves with {@code environment}, and with files relative to {@code folder}. */
    ReferenceResolver(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /** Whether a text is a reference, or looks like an attempt to write one. */
    static boolean isReference(String text) {
        return text.contains("${");
    }

    /**
     * Resolves a reference.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    String resolve(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be exactly ${env:NAME} or ${file:PATH}, with nothing around it");
        }
        String target = matcher.group(2);
        return matcher.group(1).equals("env") ? variable(target) : content(target);
    }

    /**
     * Resolves a reference to a secret. A secret from a file is reloaded when the file changes.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    Secret secret(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches() && matcher.group(1).equals("file")) {
            String path = matcher.group(2);
            return Secret.of(new SecretFile(folder.resolve(path), path));
        }
        return Secret.of(resolve(text));
    }

    private String variable(String name) {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("the environment variable " + name + " is not set");
        }
        return value;
    }

    private String content(String path) {
        return SecretFile.read(folder.resolve(path), path);
    }
}
