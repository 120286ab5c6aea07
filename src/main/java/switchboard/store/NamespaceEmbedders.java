package switchboard.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import switchboard.embed.Embedder;

/**
 * Assigns embedding models to each namespace. Immutable.
 *
 * @param rules the first one that matches a namespace applies
 * @param usual the models of the other namespaces
 */
public record NamespaceEmbedders(List<Rule> rules, ChunkEmbedders usual) {
    public NamespaceEmbedders {
        rules = List.copyOf(rules);
    }

    /**
     * The models of some namespaces.
     *
     * @param names matches the names of namespaces
     * @param embedders compute their vectors
     */
    public record Rule(Predicate<String> names, ChunkEmbedders embedders) {}

    /** The same models for all namespaces. */
    public static NamespaceEmbedders all(ChunkEmbedders embedders) {
        return new NamespaceEmbedders(List.of(), embedders);
    }

    /** The models of {@code namespace}; none if its documents get no vectors. */
    public ChunkEmbedders of(Namespace namespace) {
        for (Rule rule : rules) {
            if (rule.names().test(namespace.name())) {
                return rule.embedders();
            }
        }
        return usual;
    }

    /** Each embedder once, the usual one first. */
    public Set<Embedder> distinct() {
        Set<Embedder> all = new LinkedHashSet<>(usual.distinct());
        rules.forEach(rule -> all.addAll(rule.embedders().distinct()));
        return all;
    }
}
