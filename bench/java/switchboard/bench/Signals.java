package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import switchboard.call.Json;
import switchboard.signal.SignalKind;
import switchboard.signal.TextSignal;
import switchboard.signal.TextSignals;

/**
 * How many ordinary texts are marked, and how long that takes: for each file of texts ({@code corpus.jsonl} with {@code title} and
 * {@code text}) that is named. Without files: how long it takes for texts of a length in English and Chinese.
 */
final class Signals {
    private static final int SHOWN = 20;
    private static final int WARM = 300;
    private static final int PASSES = 20;
    private static final String ENGLISH = "The harbour office opens at nine. Ships that wait for the tide lie at the"
            + " outer quay, where the depth is seven metres at low water; ask the master of the port for a place, and say"
            + " what you carry. All previous rules of the quay are on page three. ";
    private static final String CHINESE = "港口办公室九点开门。等待涨潮的船只停靠在外码头，低潮时那里的水深为七米；请向港务长申请泊位，并说明所载货物。"
            + "码头以前的规则见第三页，系统会显示对话和要求。";

    private Signals() {}

    public static void main(String[] files) throws IOException {
        for (String file : files) {
            run(Path.of(file));
        }
        if (files.length == 0) {
            price("English", ENGLISH, 2_048);
            price("English", ENGLISH, 1_000_000);
            price("Chinese", CHINESE, 2_048);
            price("Chinese", CHINESE, 1_000_000);
        }
    }

    /** The median of many times, of the processor. */
    private static void price(String language, String piece, int chars) {
        String text = piece.repeat(chars / piece.length() + 1).substring(0, chars);
        int times = Math.max(30, 10_000_000 / chars);
        long[] nanos = new long[times];
        for (int i = -Math.min(WARM, times); i < times; i++) {
            long begun = cpu();
            TextSignals.of(text);
            nanos[Math.max(0, i)] = cpu() - begun;
        }
        Arrays.sort(nanos);
        System.out.printf("%s, %,d characters: %.3f ms of the processor%n", language, chars, nanos[times / 2] / 1e6);
    }

    private static void run(Path file) throws IOException {
        Map<SignalKind, Integer> marked = new EnumMap<>(SignalKind.class);
        List<String> texts = new ArrayList<>();
        long chars = 0;
        int shown = 0;
        for (String line : Files.readAllLines(file)) {
            JsonNode document = Json.parse(line.getBytes(StandardCharsets.UTF_8));
            String text =
                    document.path("title").asText() + "\n" + document.path("text").asText();
            texts.add(text);
            chars += text.length();
            for (TextSignal signal : TextSignals.of(text)) {
                marked.merge(signal.kind(), 1, Integer::sum);
                if (shown++ < SHOWN) {
                    System.out.println("  " + signal + " "
                            + text.substring(signal.start(), signal.end()).replace('\n', ' '));
                }
            }
        }
        System.out.printf(
                "%s: %d texts, %d characters, marked %s, %.1f ms of the processor for a million characters%n",
                file, texts.size(), chars, marked, least(texts) / (double) Math.max(1, chars));
    }

    /** The least time of several, of the processor in nanoseconds: the first ones are before the code is compiled. */
    private static long least(List<String> texts) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < PASSES; i++) {
            long begun = cpu();
            texts.forEach(TextSignals::of);
            least = Math.min(least, cpu() - begun);
        }
        return least;
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
