package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ResourceScopeTest {
    @Test
    void withoutGlobsNothingIsAllowed() {
        ResourceScope none = ResourceScope.anyOf(List.of());
        assertFalse(none.allows("a"));
        assertFalse(none.satisfiable());
        assertFalse(none.unrestricted());
    }

    @Test
    void aStarAllowsEverything() {
        assertTrue(ResourceScope.anyOf(List.of("x", "*")).unrestricted());
        assertTrue(ResourceScope.ALL.allows(""));
    }

    @Test
    void bothScopesMustAllow() {
        ResourceScope both = ResourceScope.anyOf(List.of("a*")).and(ResourceScope.anyOf(List.of("*b", "ac")));
        assertTrue(both.allows("axb"));
        assertTrue(both.allows("ac"));
        assertFalse(both.allows("ax"));
        assertFalse(both.allows("xb"));
        assertTrue(both.satisfiable());
        assertFalse(ResourceScope.anyOf(List.of("a*"))
                .and(ResourceScope.anyOf(List.of("b*")))
                .satisfiable());
    }

    @Test
    void everyChoiceOfGlobsIsTried() {
        ResourceScope first = ResourceScope.anyOf(List.of("a*", "b*", "c"));
        assertTrue(first.and(ResourceScope.anyOf(List.of("x", "y*", "c*"))).satisfiable());
        assertTrue(first.and(ResourceScope.anyOf(List.of("x", "*z")))
                .and(ResourceScope.anyOf(List.of("d*", "*yz")))
                .satisfiable());
        assertFalse(first.and(ResourceScope.anyOf(List.of("x", "cc*", "y*"))).satisfiable());
    }

    @Property(tries = 2000)
    void matchesLikeTheRegularExpression(@ForAll("globs") String glob, @ForAll("names") String name) {
        String regex = Stream.of(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        assertEquals(
                Pattern.compile(regex, Pattern.DOTALL).matcher(name).matches(),
                ResourceScope.anyOf(List.of(glob)).allows(name),
                glob + " " + name);
    }

    @Property(tries = 2000)
    void isSatisfiableWheneverANameIsAllowed(
            @ForAll("globs") String one, @ForAll("globs") String other, @ForAll("names") String name) {
        ResourceScope both = ResourceScope.anyOf(List.of(one)).and(ResourceScope.anyOf(List.of(other)));
        if (both.allows(name)) {
            assertTrue(both.satisfiable());
        }
    }

    @Property(tries = 500)
    void isNotSatisfiableWhenNoShortNameIsAllowed(@ForAll("globs") String one, @ForAll("globs") String other) {
        ResourceScope both = ResourceScope.anyOf(List.of(one)).and(ResourceScope.anyOf(List.of(other)));
        int enough = one.length() + other.length();
        boolean any = names(enough).anyMatch(both::allows);
        assertEquals(any, both.satisfiable(), one + " " + other);
    }

    @Provide
    Arbitrary<String> globs() {
        return Arbitraries.strings().withChars("ab*").ofMaxLength(4);
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().withChars("ab\n").ofMaxLength(6);
    }

    private static Stream<String> names(int longest) {
        Stream<String> all = Stream.of("");
        List<String> last = List.of("");
        for (int length = 1; length <= longest; length++) {
            last = last.stream()
                    .flatMap(name -> Stream.of(name + "a", name + "b"))
                    .toList();
            all = Stream.concat(all, last.stream());
        }
        return all;
    }
}
