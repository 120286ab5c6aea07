package switchboard.signal;

import java.util.Locale;
import java.util.Set;

/**
 * Finds links that lead elsewhere than they look: the text of a link in Markdown or HTML is another host than its target; the
 * part before the {@code @} of an address is a host; a host has letters of several scripts that look alike.
 */
final class LookalikeLinks {
    private static final int LONGEST_TEXT = 300;
    private static final int LONGEST_TARGET = 2_000;
    private static final int LONGEST_AUTHORITY = 300;
    private static final String AFTER_AUTHORITY = "/?#\\\"'`<>()[]{}|,;*";
    private static final Set<String> EXAMPLES = Set.of("example.com", "example.org", "example.net", "localhost");

    private LookalikeLinks() {}

    static void find(String text, SignalCounter found) {
        authorities(text, found);
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            int end = i + 1;
            if (c == '[') {
                end = markdown(text, i, found);
            } else if (c == '<' && text.regionMatches(true, i, "<a ", 0, 3)) {
                end = html(text, i, found);
            }
            i = Math.max(end, i + 1);
        }
    }

    private static void authorities(String text, SignalCounter found) {
        for (int at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
            int end = authorityEnd(text, at + 3);
            String authority = text.substring(at + 3, end);
            int name = authority.lastIndexOf('@');
            String before = name < 0 ? "" : authority.substring(0, name).split(":", 2)[0];
            if (LinkHost.known(before) || LinkHost.confusing(host(authority))) {
                found.add(SignalKind.LOOKALIKE_LINK, at + 3, end);
            }
        }
    }

    private static int authorityEnd(String text, int from) {
        int limit = Math.min(text.length(), from + LONGEST_AUTHORITY);
        int i = from;
        while (i < limit && !Character.isWhitespace(text.charAt(i)) && AFTER_AUTHORITY.indexOf(text.charAt(i)) < 0) {
            i++;
        }
        return i;
    }

    /** The host of an authority. */
    private static String host(String authority) {
        String server = authority.substring(authority.lastIndexOf('@') + 1);
        int port = server.indexOf(':');
        return port < 0 ? server : server.substring(0, port);
    }

    /** {@code [text](target)}. Returns where to go on. */
    private static int markdown(String text, int start, SignalCounter found) {
        int close = until(text, start + 1, ']', '[', LONGEST_TEXT);
        if (close < 0 || !text.startsWith("](", close)) {
            return start + 1;
        }
        int end = until(text, close + 2, ')', '[', LONGEST_TARGET);
        if (end < 0) {
            return close + 1;
        }
        check(text.substring(start + 1, close), text.substring(close + 2, end), start, end + 1, found);
        return end;
    }

    private static int html(String text, int start, SignalCounter found) {
        int close = until(text, start + 1, '>', '<', LONGEST_TARGET);
        if (close < 0) {
            return start + 1;
        }
        String tag = text.substring(start, close);
        int at = tag.toLowerCase(Locale.ROOT).indexOf("href=");
        int end = until(text, close + 1, '<', '<', LONGEST_TEXT);
        if (at >= 0 && end >= 0) {
            check(text.substring(close + 1, end), tag.substring(at + 5).replaceFirst("^[\"']", ""), start, end, found);
        }
        return close;
    }

    /** Where {@code wanted} is; negative if {@code stop} comes first, or it is too far. */
    private static int until(String text, int from, char wanted, char stop, int most) {
        int limit = Math.min(text.length(), from + most);
        for (int i = from; i < limit; i++) {
            char c = text.charAt(i);
            if (c == wanted) {
                return i;
            }
            if (c == stop) {
                return -1;
            }
        }
        return -1;
    }

    private static void check(String shown, String target, int start, int end, SignalCounter found) {
        String to = hostOf(target.strip());
        String looks = shownHost(shown.strip());
        if (!to.isEmpty() && !looks.isEmpty() && !EXAMPLES.contains(looks) && !LinkHost.same(looks, to)) {
            found.add(SignalKind.LOOKALIKE_LINK, start, end);
        }
    }

    /** The host of a web address; empty for other texts. */
    private static String hostOf(String url) {
        String lower = url.length() < LONGEST_TARGET ? url.toLowerCase(Locale.ROOT) : "";
        int from = lower.startsWith("https://") ? 8 : lower.startsWith("http://") ? 7 : lower.startsWith("//") ? 2 : -1;
        return from < 0 ? "" : host(lower.substring(from, authorityEnd(lower, from)));
    }

    /** The host that the text of a link looks like; empty if it looks like none. */
    private static String shownHost(String shown) {
        String plain = shown.replaceAll("[*_`]", "");
        int scheme = Math.max(plain.indexOf("https://"), plain.indexOf("http://"));
        if (scheme >= 0) {
            return hostOf(plain.substring(scheme));
        }
        int www = plain.indexOf("www.");
        if (www == 0 || (www > 0 && plain.charAt(www - 1) == ' ')) {
            return host(plain.substring(www, authorityEnd(plain, www)));
        }
        String name = plain.substring(0, authorityEnd(plain, 0));
        // With a file behind it, it is more likely a place in a repository.
        boolean all = name.length() == plain.length()
                || (plain.charAt(name.length()) == '/' && plain.indexOf('.', name.length()) < 0);
        return all && name.equals(name.toLowerCase(Locale.ROOT)) && LinkHost.known(name) ? name : "";
    }
}
