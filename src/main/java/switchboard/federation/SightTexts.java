package switchboard.federation;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.Caller;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;

/**
 * Says why a backend shows a document to a caller or not, from what it said to several.
 *
 * @param caller who is explained
 * @param own the answer to the caller
 * @param owned the answer to somebody of the same owner who may read every document
 * @param unbound the answer to somebody without bindings who may read every document
 */
record SightTexts(Caller caller, SightAnswer own, SightAnswer owned, SightAnswer unbound) {
    /** The binding whose value has sources of its own in an embedded store. */
    static final String OWNER = "owner";
    /** The binding that lets read documents of an embedded store, whatever their {@code allow}. */
    static final String DOCUMENTS = "documents";

    private static final String USER = "user";
    private static final String GROUPS = "groups";

    /** One or more sentences. */
    String text() {
        return switch (own) {
            case SightAnswer.Shown(List<List<String>> readers) ->
                "The document exists, and the backend shows it to this caller." + allow(readers);
            case SightAnswer.Missing _ -> hidden();
            case SightAnswer.Refused(String why) -> existence() + " The backend refuses this caller: " + why;
            case SightAnswer.NotAsked _ ->
                existence() + " The backend was not asked as this caller, who can't ask it for this source.";
            case SightAnswer.Untold(String why) -> existence() + " Whether this caller sees it can't be told: " + why;
        };
    }

    private String existence() {
        if (owned instanceof SightAnswer.Shown || unbound instanceof SightAnswer.Shown) {
            return "The document exists.";
        }
        for (SightAnswer answer : List.of(owned, unbound)) {
            if (answer instanceof SightAnswer.Untold(String why)) {
                return "Whether the document exists can't be told: " + why;
            }
            if (answer instanceof SightAnswer.Refused(String why)) {
                return "Whether the document exists can't be told: " + why;
            }
        }
        return "There is no such document, also without what the team is bound to. One of an owner or a tenant is only"
                + " found by callers who are bound to it.";
    }

    private String hidden() {
        if (owned instanceof SightAnswer.Shown(List<List<String>> readers)
                && readers != null
                && readers.stream().anyMatch(place -> matching(place).isEmpty())) {
            return "The document exists, and its allow hides it." + allow(readers);
        }
        if (!(owned instanceof SightAnswer.Shown) && unbound instanceof SightAnswer.Shown) {
            return "The document exists, but not for the owner that the team is bound to.";
        }
        if (!(owned instanceof SightAnswer.Shown)) {
            return existence() + " This caller finds none.";
        }
        Set<String> others = new TreeSet<>(caller.bindings().keySet());
        others.removeAll(Set.of(OWNER, DOCUMENTS, USER, GROUPS));
        return "The document exists, but "
                + (others.isEmpty()
                        ? "the backend does not show it to this caller."
                        : "what the team is bound to hides it: " + String.join(", ", others) + ".");
    }

    /** Who may read the document, and which of them the caller is. */
    private String allow(@Nullable List<List<String>> readers) {
        if (readers == null) {
            return "";
        }
        List<String> names = names();
        boolean several = readers.size() > 1;
        return (several
                        ? " Its allow has " + readers.size() + " lists, and one of each list must match: "
                        : " Its allow is ")
                + readers.stream().map(place -> String.join(", ", place)).collect(Collectors.joining("; ")) + ". "
                + (names.isEmpty()
                        ? "This caller has no name there: the team is not bound to user or groups."
                        : "This caller is " + String.join(", ", names)
                                + (several
                                        ? ". Of each list these match: " + matches(readers) + "."
                                        : ": " + matches(readers) + " of it matches."))
                + (caller.bindings().containsKey(DOCUMENTS) ? " The team is bound to documents: all." : "");
    }

    private String matches(List<List<String>> readers) {
        return readers.stream()
                .map(this::matching)
                .map(matching -> matching.isEmpty() ? "none" : String.join(", ", matching))
                .collect(Collectors.joining("; "));
    }

    private List<String> matching(List<String> readers) {
        return names().stream().filter(readers::contains).toList();
    }

    /** Who the caller is for the {@code allow} of documents; nobody if it lacks a claim. */
    private List<String> names() {
        try {
            return AllowedReaders.namesOf(caller);
        } catch (ToolException denied) {
            return List.of();
        }
    }
}
