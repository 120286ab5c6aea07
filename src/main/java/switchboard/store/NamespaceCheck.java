package switchboard.store;

import java.util.List;

/**
 * The result of checking a namespace's files.
 *
 * @param namespace the namespace
 * @param documents number of documents according to the last commit
 * @param problems messages for operators; empty if all is well
 */
public record NamespaceCheck(Namespace namespace, long documents, List<String> problems) {
    public NamespaceCheck {
        problems = List.copyOf(problems);
    }
}
