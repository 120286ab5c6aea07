package switchboard.signal;

import java.util.Locale;
import java.util.Set;

/**
 * Finds links that lead elsewhere than they look: the text of a link in Markdown or HTML is another host than its target; the
 * part before the {@code @} of an address is a host; a host has letters of several scripts that look alike.
 */
final class LookalikeLinks {
    private static final int LONGEST_AUTHORITY = 300;
    private static final String AFTER_AUTHORITY = "/?#\\\"'`<>()[]{}|,;*";
    private static final Set<String> EXAMPLES = Set.of("example.com", "example.org", "example.net", "localhost");
    /** Its articles on companies are named by their hosts. */
    private static final String ENCYCLOPEDIA = "wikipedia.org";

    private LookalikeLinks() {}

    static void find(String text, SignalCounter found) {
        authorities(text, found);
        LinkTexts.find(text, new LinkTexts.Links() {
            @Override
            public boolean leadsElsewhere(String shown, String target) {
                return LookalikeLinks.leadsElsewhere(shown, target);
            }

            @Override
            public void found(int start, int end) {
                found.add(SignalKind.LOOKALIKE_LINK, start, end);
            }
        });
    }

    private static void authorities(String text, SignalCounter found) {
        for (int at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
            int end = authorityEnd(text, at + 3);
            String authority = text.substring(at + 3, end);
            String host = host(authority);
            int name = authority.lastIndexOf('@');
            String before = name < 0 ? "" : LinkHost.beginning(authority.substring(0, name));
            if ((LinkHost.knownAsUser(before) && !LinkHost.same(before, host)) || LinkHost.confusing(host)) {
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

    /** The host of an authority, without the dot that may end it. */
    private static String host(String authority) {
        String server = authority.substring(authority.lastIndexOf('@') + 1);
        int port = server.indexOf(':');
        int end = port < 0 ? server.length() : port;
        while (end > 0 && server.charAt(end - 1) == '.') {
            end--;
        }
        return server.substring(0, end);
    }

    private static boolean leadsElsewhere(String shown, String target) {
        String to = hostOf(target);
        String looks = to.isEmpty() ? "" : shownHost(plain(shown));
        return !looks.isEmpty()
                && !EXAMPLES.contains(looks)
                && !LinkHost.same(looks, to)
                && !LinkHost.same(to, ENCYCLOPEDIA);
    }

    /** The host of a web address, as browsers read it; empty for other texts. */
    private static String hostOf(String url) {
        String lower = url.strip()
                .toLowerCase(Locale.ROOT)
                .replace("\t", "")
                .replace("\n", "")
                .replace("\r", "");
        int scheme = lower.startsWith("https:") ? 6 : lower.startsWith("http:") ? 5 : 0;
        int from = scheme;
        while (from < lower.length() && (lower.charAt(from) == '/' || lower.charAt(from) == '\\')) {
            from++;
        }
        return scheme == 0 && from < 2 ? "" : host(lower.substring(from, authorityEnd(lower, from)));
    }

    /** What people see of the text of a link, without punctuation around it. */
    private static String plain(String shown) {
        String seen = UnseenCharacters.removed(shown);
        StringBuilder plain = new StringBuilder(seen.length());
        for (int i = 0; i < seen.length(); i++) {
            if ("*_`\\".indexOf(seen.charAt(i)) < 0) {
                plain.append(seen.charAt(i));
            }
        }
        int from = 0;
        while (from < plain.length() && !Character.isLetterOrDigit(plain.charAt(from))) {
            from++;
        }
        int end = plain.length();
        while (end > from && plain.charAt(end - 1) != '/' && !Character.isLetterOrDigit(plain.charAt(end - 1))) {
            end--;
        }
        return plain.substring(from, end);
    }

    /** The host that the text of a link looks like, in lower case; empty if it looks like none. */
    private static String shownHost(String plain) {
        String lower = plain.toLowerCase(Locale.ROOT);
        int secure = lower.indexOf("https://");
        int scheme = secure >= 0 ? secure : lower.indexOf("http://");
        if (scheme >= 0) {
            return hostOf(lower.substring(scheme));
        }
        int www = lower.startsWith("www.") ? 0 : lower.indexOf(" www.") + 1;
        if (lower.startsWith("www.", www)) {
            return host(lower.substring(www, authorityEnd(lower, www)));
        }
        int end = authorityEnd(plain, 0);
        String name = plain.substring(0, end);
        String host = name.indexOf('@') < 0 ? host(name) : name;
        // With a file behind it, it is more likely a place in a repository.
        boolean all = end == plain.length() || (plain.charAt(end) == '/' && plain.indexOf('.', end) < 0);
        return all && LinkHost.known(host) ? host.toLowerCase(Locale.ROOT) : "";
    }
}
