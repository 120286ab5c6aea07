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
 * Which model makes the vectors of which space. Immutable.
 *
 * @param rules the first that fits a space counts
 * @param usual the model of the other spaces; empty for none
 */
public record SpaceEmbedders(List<Rule> rules, Optional<Embedder> usual) {
    public SpaceEmbedders {
        rules = List.copyOf(rules);
    }

    /**
     * The model of some spaces.
     *
     * @param names which, by their names
     * @param embedder makes their vectors; empty for none
     */
    public record Rule(Predicate<String> names, Optional<Embedder> embedder) {}

    /** One for all. */
    public static SpaceEmbedders all(Optional<Embedder> embedder) {
        return new SpaceEmbedders(List.of(), embedder);
    }

    /** The model whose vectors the documents of {@code space} get; empty if they get none. */
    public Optional<Embedder> of(Space space) {
        for (Rule rule : rules) {
            if (rule.names().test(space.name())) {
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

    /** Those of {@code spaces} whose documents get vectors of {@code embedder}. */
    List<Space> spacesOf(Embedder embedder, List<Space> spaces) {
        return spaces.stream()
                .filter(space -> of(space).filter(embedder::equals).isPresent())
                .toList();
    }

    /** One embedder for each kind of vectors that {@code spaces} have. */
    Collection<Embedder> of(List<Space> spaces) {
        Map<String, Embedder> byField = new LinkedHashMap<>();
        spaces.stream()
                .map(this::of)
                .flatMap(Optional::stream)
                .forEach(one -> byField.putIfAbsent(Block.vectorField(one.model(), one.dimension()), one));
        return byField.values();
    }
}
