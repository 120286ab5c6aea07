package switchboard.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import switchboard.catalog.ResourceAliases.OwnedResource;

/** Servers with the same URIs: each URI of a view belongs to one server. */
class ResourceAliasesTest {
    private static final ResourceAliases THREE = ResourceAliases.of(Map.of(
            "a", List.of("ui://app/chart.html", "x:1"),
            "b", List.of("ui://app/chart.html", "own://b", "x:1"),
            "c", List.of("ui://app/chart.html", "items://{id}")));

    @Test
    void theFirstKeepsItsUriAndTheOthersHaveTheirIdInTheirs() {
        assertEquals("ui://app/chart.html", THREE.shown("a", "ui://app/chart.html"));
        assertEquals("ui://b__app/chart.html", THREE.shown("b", "ui://app/chart.html"));
        assertEquals("ui://c__app/chart.html", THREE.shown("c", "ui://app/chart.html"));
        assertEquals("x:b__1", THREE.shown("b", "x:1"));
        assertEquals("own://b", THREE.shown("b", "own://b"));
        assertEquals("items://{id}", THREE.shown("c", "items://{id}"));
        assertFalse(THREE.concern("a"));
        assertTrue(THREE.concern("b"));
    }

    @Test
    void everyUriHasAnOwner() {
        assertEquals(Optional.of(new OwnedResource("a", "ui://app/chart.html")), THREE.owner("ui://app/chart.html"));
        assertEquals(Optional.of(new OwnedResource("c", "ui://app/chart.html")), THREE.owner("ui://c__app/chart.html"));
        assertEquals(Optional.of(new OwnedResource("b", "own://b")), THREE.owner("own://b"));
        assertEquals(Optional.of(new OwnedResource("b", "any://thing/7")), THREE.owner("any://b__thing/7"));
        assertEquals(Optional.empty(), THREE.owner("items://7"));
        assertEquals(Optional.empty(), THREE.owner("any://a__thing"), "nothing of a is shown under another URI");
        assertEquals(Optional.empty(), THREE.owner(""));
        assertEquals(Optional.empty(), THREE.owner("b__x"));
    }

    @Test
    void oneServerKeepsEverything() {
        Map<String, Set<String>> listed = Map.of("a", Set.of("x://1"), "b", Set.of("x://1"));
        assertEquals(
                "x://1", ResourceAliases.among(Set.of("b", "other"), listed).shown("b", "x://1"));
        assertEquals(
                Optional.empty(), ResourceAliases.among(Set.of("b"), listed).owner("x://1"));
        assertEquals("x://b__1", ResourceAliases.among(Set.of("b", "a"), listed).shown("b", "x://1"));
    }

    @Test
    void webAddressesStayAsTheyAre() {
        ResourceAliases aliases =
                ResourceAliases.of(Map.of("a", List.of("https://e.org/x"), "b", List.of("https://e.org/x")));
        assertEquals("https://e.org/x", aliases.shown("b", "https://e.org/x"));
        assertEquals(Optional.of(new OwnedResource("a", "https://e.org/x")), aliases.owner("https://e.org/x"));
    }

    @Test
    void valuesOfASharedTemplateAreShownLikeIt() {
        ResourceAliases aliases = ResourceAliases.of(
                Map.of("a", List.of("x://item/{id}"), "b", List.of("x://item/{id}", "x://own/{id}")));
        assertEquals("x://b__item/7", aliases.shown("b", "x://item/7"));
        assertEquals(Optional.of(new OwnedResource("b", "x://item/7")), aliases.owner("x://b__item/7"));
        assertEquals("x://own/7", aliases.shown("b", "x://own/7"));
        assertEquals("x://item/7", aliases.shown("a", "x://item/7"));
    }

    @Property(tries = 300)
    void shownUrisAreDistinctAndLeadBack(
            @ForAll @Size(max = 3)
                    Map<
                                    @Chars({'a', '_'}) @StringLength(min = 1, max = 3) String,
                                    @Size(max = 4) Set<@Chars({'a', '_'}) @StringLength(max = 5) String>>
                            paths) {
        Map<String, Set<String>> listed = new TreeMap<>();
        paths.forEach((backend, some) ->
                listed.put(backend, some.stream().map(path -> "x://" + path).collect(Collectors.toSet())));
        ResourceAliases aliases = ResourceAliases.of(listed);
        Map<String, OwnedResource> seen = new TreeMap<>();
        listed.forEach((backend, uris) -> uris.forEach(uri -> {
            OwnedResource own = new OwnedResource(backend, uri);
            String shown = aliases.shown(backend, uri);
            if (listed.size() > 1) {
                assertEquals(Optional.of(own), aliases.owner(shown), shown);
            }
            assertEquals(null, seen.put(shown, own), shown);
        }));
    }
}
