package switchboard.signal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of words, such as {@code ignore|forget [all|the] previous|earlier ~1 rules}: one of the words; any of the words in
 * brackets, up to six times; up to so many other words. {@code @} is an address: of the web, or of mail.
 */
record Phrase(List<Element> elements) {
    private static final int MOST_OPTIONAL = 6;
    /** The longest name before the @ of a mail address. */
    private static final int LONGEST_NAME = 65;

    private static final long[] WEB = hashes("https|http|mailto|ftp");

    /** No match. */
    static final int NO = -1;

    /** A part of a phrase. */
    sealed interface Element {
        /** One of these words. */
        record OneOf(long[] words) implements Element {}

        /** None, one or some of these words. */
        record AnyOf(long[] words) implements Element {}

        /** At most so many words. */
        record Gap(int most) implements Element {}

        /** An address. */
        record Address() implements Element {}
    }

    static Phrase parse(String line) {
        List<Element> elements = new ArrayList<>();
        for (String part : line.split(" ")) {
            elements.add(
                    switch (part.charAt(0)) {
                        case '[' -> new Element.AnyOf(hashes(part.substring(1, part.length() - 1)));
                        case '~' -> new Element.Gap(Integer.parseInt(part.substring(1)));
                        case '@' -> new Element.Address();
                        default -> new Element.OneOf(hashes(part));
                    });
        }
        return new Phrase(List.copyOf(elements));
    }

    private static long[] hashes(String words) {
        return Arrays.stream(words.split("\\|")).mapToLong(Words::hash).sorted().toArray();
    }

    private static boolean has(long[] words, long hash) {
        return Arrays.binarySearch(words, hash) >= 0;
    }

    /** The words that it begins with. */
    long[] first() {
        return elements.getFirst() instanceof Element.OneOf one ? one.words() : new long[0];
    }

    /** Where it ends in {@code text}, if its first word ends at {@code from}; {@link #NO} if it is not there. */
    int after(String text, int from) {
        return end(1, text, new Words(text), from);
    }

    private int end(int element, String text, Words words, int from) {
        if (element == elements.size()) {
            return from;
        }
        return switch (elements.get(element)) {
            case Element.OneOf one ->
                words.nextInSentence(from) && has(one.words(), words.hash())
                        ? end(element + 1, text, words, words.end())
                        : NO;
            case Element.AnyOf any -> skipping(element, text, words, from, MOST_OPTIONAL, any.words());
            case Element.Gap gap -> skipping(element, text, words, from, gap.most(), null);
            case Element.Address _ ->
                words.nextInSentence(from) && address(text, words) ? end(element + 1, text, words, words.end()) : NO;
        };
    }

    /** Tries the rest at {@code from}, and after each of the words that may be skipped. */
    private int skipping(int element, String text, Words words, int from, int most, long @Nullable [] allowed) {
        int at = from;
        for (int skipped = 0; ; skipped++) {
            int end = end(element + 1, text, words, at);
            if (end != NO
                    || skipped == most
                    || !words.nextInSentence(at)
                    || (allowed != null && !has(allowed, words.hash()))) {
                return end;
            }
            at = words.end();
        }
    }

    private static boolean address(String text, Words words) {
        if (has(WEB, words.hash())) {
            return text.startsWith(":", words.end());
        }
        int limit = Math.min(text.length(), words.start() + LONGEST_NAME);
        for (int i = words.start(); i < limit; i++) {
            char c = text.charAt(i);
            if (c == '@') {
                return true;
            }
            if (!Character.isLetterOrDigit(c) && "._+-".indexOf(c) < 0) {
                return false;
            }
        }
        return false;
    }
}
