package switchboard.auth;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;

/**
 * A permission in the form {@code <backend>:<verbs>[:<resource glob>]}: {@code vectordb:read,search:team-*}. {@code *}
 * stands for every backend, every verb, or any run of characters in a resource.
 *
 * @param backend a backend's id, or {@code *}
 * @param verbs what is allowed
 * @param resource a glob
 */
public record Grant(String backend, Set<Verb> verbs, String resource) {
    /** Every verb on every resource of every backend. */
    public static final Grant EVERYTHING = new Grant("*", EnumSet.allOf(Verb.class), "*");

    public Grant {
        verbs = Set.copyOf(verbs);
    }

    /**
     * Reads a grant.
     *
     * @throws IllegalArgumentException with a message that says what is wrong
     */
    public static Grant parse(String text) {
        String[] parts = text.split(":", 3);
        if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
            throw new IllegalArgumentException(
                    "grant \"" + text + "\" is not of the form <backend>:<verbs>[:<resource glob>]");
        }
        EnumSet<Verb> verbs = EnumSet.noneOf(Verb.class);
        for (String word : parts[1].split("[,\\s]+")) {
            if (word.equals("*")) {
                verbs.addAll(EnumSet.allOf(Verb.class));
            } else {
                verbs.add(verb(word, text));
            }
        }
        if (verbs.isEmpty()) {
            throw new IllegalArgumentException("grant \"" + text + "\" has no verb");
        }
        return new Grant(parts[0].strip(), verbs, parts.length == 3 ? parts[2].strip() : "*");
    }

    private static Verb verb(String word, String grant) {
        for (Verb verb : Verb.values()) {
            if (verb.word().equals(word.toLowerCase(Locale.ROOT))) {
                return verb;
            }
        }
        throw new IllegalArgumentException("grant \"" + grant + "\": unknown verb \"" + word + "\"; verbs are "
                + String.join(
                        " ",
                        java.util.Arrays.stream(Verb.values()).map(Verb::word).toList()));
    }

    /** The resources of {@code backendId} for which {@code grants} allow {@code verb}. */
    static ResourceScope scope(List<Grant> grants, String backendId, Verb verb) {
        return ResourceScope.anyOf(grants.stream()
                .filter(grant -> grant.covers(backendId) && grant.verbs().contains(verb))
                .map(Grant::resource)
                .toList());
    }

    /** Whether it allows {@code verb} on {@code name} of {@code backendId}; for texts, {@link AccessPolicy} decides. */
    public boolean allows(String backendId, Verb verb, String name) {
        return covers(backendId)
                && verbs.contains(verb)
                && ResourceScope.anyOf(List.of(resource)).allows(name);
    }

    /** Its form in the teams file, with the resource. */
    public String text() {
        String words = verbs.size() == Verb.values().length
                ? "*"
                : verbs.stream().sorted().map(Verb::word).collect(Collectors.joining(","));
        return backend + ":" + words + ":" + resource;
    }

    /** Whether the grant applies to {@code backendId}. */
    public boolean covers(String backendId) {
        return backend.equals("*") || backend.equals(backendId);
    }
}
