package switchboard.eval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import switchboard.store.Chunk;

/**
 * The usual cosines of a model on a judged set, for {@code embedders.NAME.cosines}.
 *
 * @param unrelated mean cosine of everyday questions with the ten texts that are nearest to each; empty if the model reads
 *     none of the texts or questions
 * @param related mean cosine of the judged queries with the texts that answer them; empty likewise
 */
public record MeanCosines(OptionalDouble unrelated, OptionalDouble related) {
    /** Questions that hardly any library answers, in several languages. */
    static final List<List<String>> EVERYDAY = List.of(
            List.of(
                    "best pizza in Naples",
                    "who won the football world cup in 1998",
                    "how do I bake a tiramisu",
                    "what is the weather tomorrow in Hamburg",
                    "tell me a joke about penguins",
                    "cheap flights to Lisbon in June",
                    "how tall is the Eiffel tower",
                    "when does the next train to Vienna leave",
                    "what to give my sister for her birthday",
                    "how to remove red wine from a carpet",
                    "opening hours of the swimming pool",
                    "lyrics of a lullaby"),
            List.of(
                    "那不勒斯最好吃的披萨",
                    "1998年足球世界杯谁赢了",
                    "提拉米苏怎么做",
                    "汉堡明天的天气怎么样",
                    "给我讲一个关于企鹅的笑话",
                    "六月飞里斯本的便宜机票",
                    "埃菲尔铁塔有多高",
                    "下一班去维也纳的火车几点开",
                    "妹妹过生日送什么礼物好",
                    "地毯上的红酒怎么去除",
                    "游泳馆的开放时间",
                    "摇篮曲的歌词"));

    private static final int NEAREST = 10;

    /**
     * Measures the mean cosines.
     *
     * @param texts the vectors of the texts of {@code set}, by text
     * @param queries the vectors of its queries, by id
     * @param everyday the vectors of everyday questions; none if the model reads none of {@link #EVERYDAY}
     */
    static MeanCosines of(
            JudgedSet set, Map<String, Chunk.ChunkVector> texts, Map<String, float[]> queries, List<float[]> everyday) {
        List<Double> related = new ArrayList<>();
        set.grades()
                .forEach((query, grades) -> grades.forEach((text, grade) -> {
                    float[] asked = queries.get(query);
                    Chunk.ChunkVector answer = texts.get(set.texts().getOrDefault(text, ""));
                    if (grade > 0 && asked != null && answer != null) {
                        related.add(answer.cosine(asked));
                    }
                }));
        List<Double> unrelated = new ArrayList<>();
        for (float[] question : everyday) {
            texts.values().stream()
                    .map(text -> text.cosine(question))
                    .sorted(Comparator.reverseOrder())
                    .limit(NEAREST)
                    .forEach(unrelated::add);
        }
        return new MeanCosines(mean(unrelated), mean(related));
    }

    private static OptionalDouble mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average();
    }

    /** Both as the configuration has them, with two decimals; {@code not measured} instead of one that is empty. */
    @Override
    public String toString() {
        return "unrelated: " + text(unrelated) + ", related: " + text(related);
    }

    private static String text(OptionalDouble mean) {
        return mean.isEmpty() ? "not measured" : String.format(Locale.ROOT, "%.2f", mean.getAsDouble());
    }
}
