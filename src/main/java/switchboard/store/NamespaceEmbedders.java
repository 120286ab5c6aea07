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
 * Which model makes the vectors of which namespace. Immutable.
 *
 * @param rules the first that fits a namespace counts
 * @param usual the model of the other namespaces; empty for none
 */
public record NamespaceEmbedders(List<Rule> rules, Optional<Embedder> usual) {
    public NamespaceEmbedders {
        rules = List.copyOf(rules);
    }

    /**
     * The model of some namespaces.
     *
     * @param names which, by their names
     * @param embedder makes their vectors; empty for none
     */
    public record Rule(Predicate<String> names, Optional<Embedder> embedder) {}

    /** One for all. */
    public static NamespaceEmbedders all(Optional<Embedder> embedder) {
        return new NamespaceEmbedders(List.of(), embedder);
    }

    /** The model whose vectors the documents of {@code namespace} get; empty if they get none. */
    public Optional<Embedder> of(Namespace namespace) {
        for (Rule rule : rules) {
            if (rule.names().test(namespace.name())) {
                return rule.embedder();
            }
        }
        return usual;
    }

    /** Each of them once, the usual one first. */
    public Set<Embedder> distinct() {
        Set<Embedder> all = new LinkedHashSet<>();
        usual.ifPresent(all::add);
        rules.forEach(rule -> rule.embedder().ifPresent(all::add));
        return all;
    }

    /** Those of {@code namespaces} whose documents get vectors of {@code embedder}. */
    List<Namespace> spacesOf(Embedder embedder, List<Namespace> namespaces) {
        return namespaces.stream()
                .filter(namespace -> of(namespace).filter(embedder::equals).isPresent())
                .toList();
    }

    /** One embedder for each kind of vectors that {@code namespaces} have. */
    Collection<Embedder> of(List<Namespace> namespaces) {
        Map<String, Embedder> byField = new LinkedHashMap<>();
        namespaces.stream()
                .map(this::of)
                .flatMap(Optional::stream)
                .forEach(one -> byField.putIfAbsent(DocumentSchema.vectorField(one.model(), one.dimension()), one));
        return byField.values();
    }
}
