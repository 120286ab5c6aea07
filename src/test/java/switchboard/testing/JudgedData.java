package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import switchboard.eval.JudgedSet;

/**
 * Collections with judged queries, for tests of search: a small one that is in the repository for each build, and large
 * ones that lie outside it, in the folder {@code SWITCHBOARD_EVAL_DIR}, for {@code -Plong}.
 */
public final class JudgedData {
    private static final Path SMALL = Path.of("src", "test", "resources", "eval", "harbour");

    private JudgedData() {}

    /** Forty short texts and a question for each, or with {@code -Plong} the collection that is called {@code large}. */
    public static JudgedSet smallOr(String large) {
        return read(LongRun.either(SMALL, place(large)));
    }

    /** The same; of a large collection the first {@code queries}, all that answers them, and others up to {@code documents}. */
    public static JudgedSet smallOrPartOf(String large, int queries, int documents) {
        JudgedSet set = smallOr(large);
        return set.texts().size() <= documents ? set : part(set, queries, documents);
    }

    /** The folder {@code name} of {@code SWITCHBOARD_EVAL_DIR}. A test that can't have it is skipped, and says so. */
    public static Path outside(String name) {
        return there(place(name));
    }

    /** The folder of the collection {@code name}, which may not be there. */
    public static Path place(String name) {
        return SMALL.endsWith(name)
                ? SMALL
                : Path.of(Optional.ofNullable(System.getenv("SWITCHBOARD_EVAL_DIR"))
                                .orElse("../shared/eval"))
                        .resolve(name);
    }

    private static Path there(Path folder) {
        Assumptions.assumeTrue(Files.isDirectory(folder), () -> "needs " + folder + "; set SWITCHBOARD_EVAL_DIR");
        return folder;
    }

    private static JudgedSet read(Path folder) {
        try {
            return JudgedSet.read(there(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JudgedSet part(JudgedSet whole, int queries, int documents) {
        Map<String, String> asked = new LinkedHashMap<>();
        Set<String> wanted = new HashSet<>();
        whole.queries().entrySet().stream().limit(queries).forEach(query -> {
            asked.put(query.getKey(), query.getValue());
            wanted.addAll(whole.grades().get(query.getKey()).keySet());
        });
        Map<String, String> texts = new LinkedHashMap<>();
        int others = documents - wanted.size();
        for (Map.Entry<String, String> text : whole.texts().entrySet()) {
            if (wanted.contains(text.getKey()) || others-- > 0) {
                texts.put(text.getKey(), text.getValue());
            }
        }
        return new JudgedSet(whole.name(), whole.titles(), texts, asked, whole.grades());
    }
}
