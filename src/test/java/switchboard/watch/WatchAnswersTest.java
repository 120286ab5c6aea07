package switchboard.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What counts as news. */
class WatchAnswersTest {
    private static WatchReply reply(Set<String> silent, String... addresses) {
        List<WatchNews> hits = new ArrayList<>();
        for (String address : addresses) {
            hits.add(new WatchNews(address, "title of " + address, "library", null, hits.size() + 1, 0));
        }
        return new WatchReply(hits, silent);
    }

    private static WatchReply reply(String... addresses) {
        return reply(Set.of(), addresses);
    }

    private static List<String> news(WatchAnswers answers) {
        return answers.news().stream().map(WatchNews::address).toList();
    }

    @Test
    void whatWasThereIsNoNewsAndNothingIsToldTwice() {
        WatchAnswers answers = WatchAnswers.begin(reply("a", "b"));
        assertEquals(List.of(), news(answers));
        answers = answers.and(reply("c", "a", "b"));
        answers = answers.and(reply("a", "b"));
        answers = answers.and(reply("c", "d", "d"));
        assertEquals(List.of("d", "c"), news(answers));
    }

    @Test
    void anAnswerWithoutASourceDoesNotCountUnlessItStaysSo() {
        WatchAnswers before = WatchAnswers.begin(reply("a"));
        Set<String> silent = Set.of("engine:index");
        WatchAnswers first = before.and(reply(silent, "b"));
        WatchAnswers second = first.and(reply(silent, "b"));
        assertEquals(List.of(), news(second));
        assertEquals(List.of(), news(second.and(reply("a"))), "it has answered again");
        WatchAnswers third = second.and(reply(silent, "b"));
        assertEquals(List.of("b"), news(third));
        assertEquals(
                List.of("c", "b"), news(third.and(reply(silent, "c"))), "what is silent for long is not waited for");
        assertEquals(List.of("c", "b"), news(third.and(reply("c"))), "nor when it answers again");
    }

    @Test
    void whatASourceHadBeforeItAnsweredFirstIsNoNews() {
        WatchAnswers begun = WatchAnswers.begin(reply(Set.of("library"), "a"));
        WatchAnswers silent = begun.and(reply(Set.of("library")));
        assertEquals(List.of(), news(silent));
        WatchAnswers first = silent.and(reply("a", "old"));
        assertEquals(List.of(), news(first));
        assertEquals(List.of("b"), news(first.and(reply("b", "old"))), "after that it is as any other");
        assertEquals(
                List.of("c"),
                news(WatchAnswers.begin(reply(Set.of("other"), "a")).and(reply("c"))));
        WatchReply engine = new WatchReply(List.of(new WatchNews("old", "", "engine:index", null, 1, 0)), Set.of());
        assertEquals(List.of(), news(WatchAnswers.begin(reply(Set.of("engine"))).and(engine)));
    }

    @Test
    void theNewestNewsAreKept() {
        WatchAnswers answers = WatchAnswers.begin(reply("first"));
        for (int i = 0; i < WatchAnswers.MOST_NEWS; i++) {
            answers = answers.and(reply("n" + i));
        }
        WatchAnswers full = answers;
        answers = answers.and(reply("x", "y"));
        assertEquals(WatchAnswers.MOST_NEWS, answers.news().size());
        assertEquals(List.of("x", "y", "n99"), news(answers).subList(0, 3));
        assertEquals(2, answers.lost());
        assertEquals(new WatchBook.Arrived(2, 2), answers.since(full));
    }

    @Test
    void theAddressesOfTheLastAnswerAreNeverForgotten() {
        String[] many = IntStream.range(0, WatchAnswers.MOST_KNOWN)
                .mapToObj(i -> "k" + i)
                .toArray(String[]::new);
        WatchAnswers answers = WatchAnswers.begin(reply(many)).and(reply("new"));
        assertEquals(WatchAnswers.MOST_KNOWN, answers.known().size());
        assertEquals("new", answers.known().getFirst());
        assertEquals(List.of("new"), news(answers.and(reply("new", "k0"))));
        assertEquals(0, Collections.frequency(answers.known(), many[many.length - 1]), "the oldest goes");
    }
}
