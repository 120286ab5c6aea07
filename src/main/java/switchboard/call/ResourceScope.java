package switchboard.call;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The resources of one backend that a call may touch, as globs: {@code *} stands for any run of characters.
 *
 * @param globs any of them suffices; none allows nothing
 */
public record ResourceScope(List<String> globs) {
    /** Everything. */
    public static final ResourceScope ALL = new ResourceScope(List.of("*"));

    public ResourceScope {
        globs = List.copyOf(globs);
    }

    /** Whether every resource is allowed. */
    public boolean unrestricted() {
        return globs.contains("*");
    }

    /** Whether {@code resource} is allowed. */
    public boolean allows(String resource) {
        return unrestricted() || globs.stream().anyMatch(glob -> matches(glob, resource));
    }

    private static boolean matches(String glob, String resource) {
        if (glob.indexOf('*') < 0) {
            return glob.equals(resource);
        }
        StringBuilder regex = new StringBuilder();
        for (String literal : glob.split("\\*", -1)) {
            regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL)
                .matcher(resource)
                .matches();
    }
}
