package switchboard.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import switchboard.embed.Embedder;

/**
 * Assigns an embedding model to each namespace. Immutable.
 *
 * @param rules the first one that matches a namespace applies
 * @param usual the model of the other namespaces; empty for none
 */
public record NamespaceEmbedders(List<Rule> rules, Optional<Embedder> usual) {
    public NamespaceEmbedders {
        rules = List.copyOf(rules);
    }

    /**
     * The model of some namespaces.
     *
     * @param names matches the names of namespaces
     * @param embedder computes their vectors; empty for none
     */
    public record Rule(Predicate<String> names, Optional<Embedder> embedder) {}

    /** The same model for all namespaces. */
    public static NamespaceEmbedders all(Optional<Embedder> embedder) {
        return new NamespaceEmbedders(List.of(), embedder);
    }

    /** The model of {@code namespace}; empty if its documents get no vectors. */
    public Optional<Embedder> of(Namespace namespace) {
        for (Rule rule : rules) {
            if (rule.names().test(namespace.name())) {
                return rule.embedder();
            }
        }
        return usual;
    }

    /** Each embedder once, the usual one first. */
    public Set<Embedder> distinct() {
        Set<Embedder> all = new LinkedHashSet<>();
        usual.ifPresent(all::add);
        rules.forEach(rule -> rule.embedder().ifPresent(all::add));
        return all;
    }

    /** Those of {@code namespaces} that use {@code embedder}. */
    List<Namespace> spacesOf(Embedder embedder, List<Namespace> namespaces) {
        return namespaces.stream()
                .filter(namespace -> of(namespace).filter(embedder::equals).isPresent())
                .toList();
    }

    /** One embedder for each model that {@code namespaces} use. */
    Collection<Embedder> of(List<Namespace> namespaces) {
        Map<String, Embedder> byField = new LinkedHashMap<>();
        namespaces.stream()
                .map(this::of)
                .flatMap(Optional::stream)
                .forEach(one -> byField.putIfAbsent(DocumentSchema.vectorField(one.model(), one.dimension()), one));
        return byField.values();
    }
}
