package switchboard.store;

import java.util.List;

/**
 * What a check of a namespace's files found.
 *
 * @param namespace which
 * @param documents how many documents it says it has
 * @param problems what is wrong, in words for operators; empty if nothing is
 */
public record NamespaceCheck(Namespace namespace, long documents, List<String> problems) {
    public NamespaceCheck {
        problems = List.copyOf(problems);
    }
}
