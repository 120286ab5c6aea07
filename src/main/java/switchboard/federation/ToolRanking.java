package switchboard.federation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import switchboard.call.TermStatistics;
import switchboard.call.Verb;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolDescriptor;

/**
 * Ranks tools for a task. Two things are compared with the task, by keyword and, where a model has read them, by
 * meaning: all that is said about a tool, and the sentence that fits best, of its title, its purpose and its examples.
 * The weights are measured on tasks in plain words ({@code ToolRankingTest}).
 */
final class ToolRanking {
    private static final double MEANING = 0.5;

    /** Of a tool about which there is no sentence. */
    private static final double LOWEST = -10;

    /** Words of tasks that take something away. */
    private static final Pattern REMOVAL = Pattern.compile(
            "\\b(delet|destroy|remov|unlink|drop(s|ped|ping)?\\b|forget|eras|clear|clean|purg|empty\\b|discard|throw|wip(e|ing)"
                    + "|trash|tak(e|en|ing)\\b.{0,60}\\b(out|away|off|down)\\b|rid of|end (the|this|my)\\b"
                    + "|clos(e|es|ing) (the|this|my)\\b|finish|done\\b|stop|no longer|any ?more"
                    + "|don['’]t (need|want|remember|keep)|outdated|obsolete|cancel)",
            Pattern.CASE_INSENSITIVE);

    /** What comes after these words is a reason or comes later. */
    private static final Pattern PURPOSE =
            Pattern.compile("\\b(so that|so (I|we|you)|in order to|before)\\b", Pattern.CASE_INSENSITIVE);

    private final KeywordScore keywords;

    ToolRanking(KeywordScore keywords) {
        this.keywords = keywords;
    }

    /**
     * The texts about tools.
     *
     * @param tools the tools
     * @param texts all texts: first one for each tool with all that is said about it, in the order of the tools, then
     *     their sentences
     * @param owners for each text the index of its tool
     */
    record Described(List<PublishedTool> tools, List<String> texts, int[] owners) {
        static Described of(List<PublishedTool> tools) {
            List<String> texts =
                    new ArrayList<>(tools.stream().map(ToolRanking::whole).toList());
            IntStream.Builder owners = IntStream.builder();
            for (int i = 0; i < tools.size(); i++) {
                owners.add(i);
            }
            for (int i = 0; i < tools.size(); i++) {
                for (String sentence : sentences(tools.get(i).descriptor())) {
                    texts.add(sentence);
                    owners.add(i);
                }
            }
            return new Described(tools, List.copyOf(texts), owners.build().toArray());
        }

        List<String> allWholes() {
            return texts.subList(0, tools.size());
        }

        List<String> allSentences() {
            return texts.subList(tools.size(), texts.size());
        }
    }

    /**
     * The tools, the best first; ties by name. A tool that deletes is not the first for a task that does not ask to take
     * something away.
     *
     * @param meanings how close the task is to each of the texts, if that is known
     */
    List<PublishedTool> of(String task, Described described, Optional<double[]> meanings) {
        List<PublishedTool> tools = described.tools();
        double[] scores =
                keywords.of(task, described.allWholes(), TermStatistics.NONE).values();
        double[] closest = best(
                described,
                keywords.of(task, described.allSentences(), TermStatistics.NONE).values());
        for (int i = 0; i < scores.length; i++) {
            scores[i] += closest[i];
        }
        meanings.ifPresent(all -> {
            double[] sentences = best(described, Arrays.copyOfRange(all, tools.size(), all.length));
            for (int i = 0; i < scores.length; i++) {
                scores[i] += MEANING * (all[i] + sentences[i]);
            }
        });
        List<PublishedTool> ranked = new ArrayList<>(IntStream.range(0, tools.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -scores[i])
                        .thenComparing(i -> tools.get(i).name()))
                .map(tools::get)
                .toList());
        if (!REMOVAL.matcher(PURPOSE.split(task, 2)[0]).find()) {
            keepFirst(ranked);
        }
        return ranked;
    }

    /** Moves the first tool that deletes nothing to the top. */
    private static void keepFirst(List<PublishedTool> ranked) {
        IntStream.range(0, ranked.size())
                .filter(i -> !deletes(ranked.get(i).descriptor()))
                .findFirst()
                .ifPresent(i -> ranked.addFirst(ranked.remove(i)));
    }

    /** Tools of other servers need every right unless they are trusted, so only what they say of themselves counts. */
    private static boolean deletes(ToolDescriptor tool) {
        return tool.original() == null
                ? tool.effects().verbs().contains(Verb.DELETE)
                : tool.original().at("/annotations/destructiveHint").asBoolean(false);
    }

    /** For each tool the score of its best sentence. */
    private static double[] best(Described described, double[] sentences) {
        double[] best = new double[described.tools().size()];
        Arrays.fill(best, LOWEST);
        for (int i = 0; i < sentences.length; i++) {
            int owner = described.owners()[best.length + i];
            best[owner] = Math.max(best[owner], sentences[i]);
        }
        return best;
    }

    private static String whole(PublishedTool tool) {
        ToolDescriptor descriptor = tool.descriptor();
        String names = (tool.name() + " " + tool.backend()).replace('_', ' ').replace('-', ' ');
        return names + " " + descriptor.title() + "\n" + descriptor.description() + "\n"
                + String.join("\n", tasks(descriptor));
    }

    private static List<String> sentences(ToolDescriptor descriptor) {
        List<String> sentences = new ArrayList<>(tasks(descriptor));
        sentences.add(firstSentence(descriptor.description()));
        sentences.add(descriptor.title());
        sentences.removeIf(String::isBlank);
        return sentences;
    }

    private static List<String> tasks(ToolDescriptor descriptor) {
        List<String> tasks = new ArrayList<>(descriptor.texts().examples());
        Optional.ofNullable(descriptor.texts().task()).ifPresent(tasks::add);
        return tasks;
    }

    /** {@code text} up to the end of its first sentence, without the full stop if others follow. */
    static String firstSentence(String text) {
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end);
    }
}
