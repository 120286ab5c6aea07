package switchboard.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The resources (collections, indexes, tables, libraries) of one backend that a call may use, as globs in which {@code
 * *} matches any characters. Immutable.
 *
 * @param allOf lists of globs: a resource is allowed if it matches at least one glob of every list
 */
public record ResourceScope(List<List<String>> allOf) {
    /** All resources. */
    public static final ResourceScope ALL = new ResourceScope(List.of());

    /** No resources. */
    public static final ResourceScope NOTHING = anyOf(List.of());

    private static final int MAX_STEPS = 100_000;

    public ResourceScope {
        allOf = allOf.stream()
                .filter(globs -> !globs.contains("*"))
                .map(List::copyOf)
                .distinct()
                .toList();
    }

    /** The resources that match any of {@code globs}. */
    public static ResourceScope anyOf(List<String> globs) {
        return new ResourceScope(List.of(globs));
    }

    /** The resources that both allow. */
    public ResourceScope and(ResourceScope other) {
        List<List<String>> both = new ArrayList<>(allOf);
        both.addAll(other.allOf);
        return new ResourceScope(both);
    }

    /** Whether every resource is allowed. */
    public boolean unrestricted() {
        return allOf.isEmpty();
    }

    /** Whether {@code resource} is allowed. */
    public boolean allows(String resource) {
        for (List<String> globs : allOf) {
            if (globs.stream().noneMatch(glob -> matches(glob, resource))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether any name may be allowed. An exact answer could take very long; if in doubt it is true, which allows
     * nothing by itself, because each name is still checked with {@link #allows}.
     */
    public boolean satisfiable() {
        return choose(0, new ArrayList<>(), new int[] {MAX_STEPS});
    }

    private boolean choose(int list, List<String> chosen, int[] left) {
        if (list == allOf.size()) {
            return haveCommonName(chosen, left);
        }
        for (String glob : allOf.get(list)) {
            chosen.add(glob);
            if (choose(list + 1, chosen, left)) {
                return true;
            }
            chosen.removeLast();
        }
        return false;
    }

    /** Greedy matching: on a mismatch the last {@code *} matches one character more. */
    private static boolean matches(String glob, String text) {
        int g = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        while (t < text.length()) {
            if (g < glob.length() && glob.charAt(g) == '*') {
                star = g++;
                resume = t;
            } else if (g < glob.length() && glob.charAt(g) == text.charAt(t)) {
                g++;
                t++;
            } else if (star >= 0) {
                g = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (g < glob.length() && glob.charAt(g) == '*') {
            g++;
        }
        return g == glob.length();
    }

    /** Explores all globs together, each as a small automaton whose state is the position in it. */
    private static boolean haveCommonName(List<String> globs, int[] left) {
        Set<List<Integer>> seen = new HashSet<>();
        Deque<List<Integer>> open = new ArrayDeque<>();
        open.add(globs.stream().map(glob -> 0).toList());
        while (!open.isEmpty()) {
            if (left[0]-- <= 0) {
                return true;
            }
            List<Integer> at = open.pop();
            if (!seen.add(at)) {
                continue;
            }
            boolean ended = true;
            for (int i = 0; i < globs.size(); i++) {
                if (at.get(i) < globs.get(i).length()) {
                    ended = false;
                    if (globs.get(i).charAt(at.get(i)) == '*') {
                        open.add(with(at, i, at.get(i) + 1));
                    } else {
                        step(globs, at, globs.get(i).charAt(at.get(i)), open);
                    }
                }
            }
            if (ended) {
                return true;
            }
        }
        return false;
    }

    /** Adds the state after reading {@code c} in every glob, if all accept it. */
    private static void step(List<String> globs, List<Integer> at, char c, Deque<List<Integer>> open) {
        List<Integer> next = new ArrayList<>(at);
        for (int i = 0; i < globs.size(); i++) {
            String glob = globs.get(i);
            int position = at.get(i);
            if (position == glob.length() || (glob.charAt(position) != '*' && glob.charAt(position) != c)) {
                return;
            }
            if (glob.charAt(position) == c) {
                next.set(i, position + 1);
            }
        }
        open.add(List.copyOf(next));
    }

    private static List<Integer> with(List<Integer> state, int index, int value) {
        List<Integer> next = new ArrayList<>(state);
        next.set(index, value);
        return List.copyOf(next);
    }
}
