package switchboard.call;

import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/** Finds many patterns in a text in one pass (Aho and Corasick). Immutable. */
final class MultiPatternMatcher {
    /** The length of pattern that is searched. A longer pattern is assumed to match if its beginning does. */
    private static final int LONGEST = 256;

    private static final int BASE64_BITS = 6;

    /** Receives matches. */
    interface MatchListener {
        /** A match from {@code from} to before {@code to}, inside base64 or not. */
        void at(int from, int to, boolean base64);
    }

    /**
     * A form of a value.
     *
     * @param text the text to find
     * @param length length of the whole form
     * @param before how many characters before it also depend on the value
     * @param after how many characters after it do
     */
    private record Form(String text, int length, boolean base64, int before, int after) {}

    private static final int ASCII = 128;

    private final Map<Character, Integer> kinds = new HashMap<>();
    private final int[] kindsOfAscii = new int[ASCII];
    private final List<int[]> next = new ArrayList<>();
    private final List<Form> forms = new ArrayList<>();
    /** For each state the form that ends there, or -1. */
    private final int[] ends;

    MultiPatternMatcher(Collection<String> values) {
        values.forEach(this::add);
        forms.forEach(form -> form.text().chars().forEach(c -> kinds.putIfAbsent((char) c, kinds.size())));
        Arrays.setAll(kindsOfAscii, c -> kinds.getOrDefault((char) c, -1));
        List<Integer> last = new ArrayList<>();
        state(last);
        for (int i = 0; i < forms.size(); i++) {
            int state = 0;
            for (char c : forms.get(i).text().toCharArray()) {
                int kind = kinds.getOrDefault(c, 0);
                if (next.get(state)[kind] < 0) {
                    next.get(state)[kind] = state(last);
                }
                state = next.get(state)[kind];
            }
            last.set(state, i);
        }
        this.ends = last.stream().mapToInt(Integer::intValue).toArray();
        connect();
    }

    private int state(List<Integer> last) {
        int[] row = new int[kinds.size()];
        Arrays.fill(row, -1);
        next.add(row);
        last.add(-1);
        return next.size() - 1;
    }

    /** Adds the failure transitions: to the longest other prefix. */
    private void connect() {
        int[] fallback = new int[next.size()];
        Queue<Integer> open = new ArrayDeque<>();
        open.add(0);
        while (!open.isEmpty()) {
            int state = open.remove();
            int[] row = next.get(state);
            if (ends[state] < 0) {
                ends[state] = state == 0 ? -1 : ends[fallback[state]];
            }
            for (int kind = 0; kind < row.length; kind++) {
                int otherwise = state == 0 ? 0 : next.get(fallback[state])[kind];
                if (row[kind] < 0) {
                    row[kind] = otherwise;
                } else {
                    fallback[row[kind]] = otherwise;
                    open.add(row[kind]);
                }
            }
        }
    }

    private void add(String value) {
        Set<String> plain = new LinkedHashSet<>();
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        plain.add(value);
        String decoded = new String(bytes, StandardCharsets.ISO_8859_1); // as it reads in a URL, byte by byte
        plain.add(decoded);
        plain.add(decoded.replace(' ', '+'));
        plain.add(HexFormat.of().formatHex(bytes));
        plain.add(HexFormat.of().withUpperCase().formatHex(bytes));
        plain.forEach(text -> form(text, false, 0, 0));
        base64(bytes);
        String escaped = Json.text(TextNode.valueOf(value));
        base64(escaped.substring(1, escaped.length() - 1).getBytes(StandardCharsets.UTF_8));
        base64(URLEncoder.encode(value, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
    }

    /** Adds the base64 characters that depend on the value only, for each alignment. */
    private void base64(byte[] value) {
        for (int offset = 0; offset < 3; offset++) {
            byte[] shifted = new byte[offset + value.length];
            System.arraycopy(value, 0, shifted, offset, value.length);
            int firstBit = 8 * offset;
            int lastBit = 8 * shifted.length;
            int from = Math.ceilDiv(firstBit, BASE64_BITS);
            int to = lastBit / BASE64_BITS;
            int before = firstBit % BASE64_BITS == 0 ? 0 : 1;
            int after = lastBit % BASE64_BITS == 0 ? 0 : 1;
            form(Base64.getEncoder().encodeToString(shifted).substring(from, to), true, before, after);
            form(Base64.getUrlEncoder().encodeToString(shifted).substring(from, to), true, before, after);
        }
    }

    private void form(String text, boolean base64, int before, int after) {
        String start = text.substring(0, Math.min(LONGEST, text.length()));
        if (forms.stream().noneMatch(form -> form.text().equals(start))) {
            forms.add(new Form(start, text.length(), base64, before, after));
        }
    }

    /** Reports all matches in {@code text} to {@code found}. */
    void find(CharSequence text, MatchListener found) {
        int state = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int kind = c < ASCII ? kindsOfAscii[c] : kinds.getOrDefault(c, -1);
            state = kind < 0 ? 0 : next.get(state)[kind];
            if (ends[state] >= 0) {
                Form form = forms.get(ends[state]);
                int from = i + 1 - form.text().length();
                int to = Math.min(text.length(), from + form.length() + form.after());
                found.at(Math.max(0, from - form.before()), to, form.base64());
            }
        }
    }
}
