package switchboard.signal;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/** What the host of a link looks like. */
final class LinkHost {
    /** Endings by which a text without a scheme is taken for a host, and not for a file or a product. */
    private static final Set<String> ENDINGS = Set.of(
            "com", "org", "net", "gov", "edu", "mil", "bank", "example", "eu", "de", "fr", "es", "it", "nl", "uk", "cn",
            "jp", "ru", "ch", "at", "us", "ca", "au", "br", "se", "dk", "fi", "cz", "gr", "kr", "tw", "hk", "sg", "nz",
            "mx", "ua", "ro", "hu", "il");

    /** Those that are words, too: with a capital before it, it is more likely a name in a program. */
    private static final Set<String> WORDS = Set.of("at", "it", "es", "us", "example");

    /** More by which the part before an {@code @} is taken for a host. */
    private static final Set<String> MORE_ENDINGS = Set.of(
            "io", "ai", "co", "me", "tv", "cc", "to", "in", "is", "no", "be", "pl", "pt", "ie", "tr", "za", "ar", "cl",
            "dev", "app", "info", "biz", "shop", "store", "online", "site", "club", "xyz", "top", "cloud", "page");

    private static final Set<String> SECOND_LEVEL = Set.of("co", "com", "ac", "gov", "org", "net", "edu", "go", "or");
    /** Letters of other scripts that look like Latin ones. */
    private static final String CONFUSABLE = "аеорсухіјѕһԁԛԝӏοανρυικ";

    private static final String SLASHES = "\u2044\u2215\uFF0F\u29F8";
    private static final int LONGEST = 255;

    private LinkHost() {}

    /** Whether {@code name} is a host by its ending. Names of products and of parts of programs have capitals. */
    static boolean known(String name) {
        String ending = ending(name);
        String lower = ending.toLowerCase(Locale.ROOT);
        if (!ENDINGS.contains(lower)) {
            return false;
        }
        boolean plain = name.equals(name.toLowerCase(Locale.ROOT));
        boolean loud = name.equals(name.toUpperCase(Locale.ROOT)) && !lower.equals("net");
        return plain || (!WORDS.contains(lower) && (loud || ending.equals(lower)));
    }

    /** Whether {@code name}, which stands before an {@code @}, is a host by its ending or its beginning. */
    static boolean knownAsUser(String name) {
        String ending = ending(name).toLowerCase(Locale.ROOT);
        return ENDINGS.contains(ending)
                || MORE_ENDINGS.contains(ending)
                || (!ending.isEmpty() && name.regionMatches(true, 0, "www.", 0, 4));
    }

    /** What is behind the last dot of a host; empty if {@code name} is none. */
    private static String ending(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 && host(name) ? name.substring(dot + 1) : "";
    }

    /** What may be a host at the beginning of {@code text}, in which parts may be encoded with percent signs. */
    static String beginning(String text) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%' && i + 2 < text.length()) {
                int high = Character.digit(text.charAt(i + 1), 16);
                int low = Character.digit(text.charAt(i + 2), 16);
                c = high < 0 || low < 0 ? c : (char) (high * 16 + low);
                i += 2;
            }
            if (!Character.isLetterOrDigit(c) && c != '.' && c != '-') {
                break;
            }
            name.append(c);
        }
        int end = name.length();
        while (end > 0 && name.charAt(end - 1) == '.') {
            end--;
        }
        return name.substring(0, end);
    }

    private static boolean host(String name) {
        if (name.length() > LONGEST || name.startsWith(".")) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!Character.isLetterOrDigit(c) && c != '.' && c != '-') {
                return false;
            }
        }
        return true;
    }

    /** Whether both belong to the same owner, as far as names tell. */
    static boolean same(String one, String other) {
        return registered(one).equals(registered(other));
    }

    /** The name that somebody registered: example.co.uk of www.example.co.uk. */
    private static String registered(String host) {
        String normal = normal(host);
        String[] labels = normal.split("\\.");
        int last = labels.length - 1;
        if (last < 1) {
            return normal;
        }
        String two = labels[last - 1] + "." + labels[last];
        return last > 1 && labels[last].length() == 2 && SECOND_LEVEL.contains(labels[last - 1])
                ? labels[last - 2] + "." + two
                : two;
    }

    /** As browsers ask for it, but not encoded. */
    private static String normal(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (!FoldedText.ascii(lower)) {
            lower = Normalizer.normalize(UnseenCharacters.removed(lower), Normalizer.Form.NFKC)
                    .replace('\u3002', '.')
                    .toLowerCase(Locale.ROOT);
        }
        if (!lower.contains(Punycode.PREFIX)) {
            return lower;
        }
        StringBuilder shown = new StringBuilder();
        for (String label : lower.split("\\.")) {
            shown.append(shown.isEmpty() ? "" : ".")
                    .append(Punycode.encoded(label) ? Punycode.decode(label).orElse(label) : label);
        }
        return shown.toString();
    }

    /** Whether a label mixes scripts that look alike, or is written in another one that looks like Latin. */
    static boolean confusing(String host) {
        if (host.length() > LONGEST) {
            return false;
        }
        String[] labels = host.toLowerCase(Locale.ROOT).split("\\.");
        boolean latinEnding =
                labels.length > 1 && labels[labels.length - 1].chars().allMatch(c -> c < 0x80);
        for (String label : labels) {
            if (label.chars().anyMatch(c -> c > 0x7F) || Punycode.encoded(label)) {
                String shown = Punycode.encoded(label) ? Punycode.decode(label).orElse(label) : label;
                if (mixed(shown) || (latinEnding && allConfusable(shown))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean mixed(String label) {
        boolean latin = false;
        boolean alike = false;
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            if (UnseenCharacters.ignorable(c) || SLASHES.indexOf(c) >= 0) {
                return true;
            }
            if (Character.isLetter(c)) {
                UnicodeScript script = UnicodeScript.of(c);
                latin |= script == UnicodeScript.LATIN;
                alike |= script == UnicodeScript.CYRILLIC
                        || script == UnicodeScript.GREEK
                        || script == UnicodeScript.ARMENIAN
                        || script == UnicodeScript.CHEROKEE;
            }
        }
        return latin && alike;
    }

    private static boolean allConfusable(String label) {
        return label.length() > 1
                && label.chars().allMatch(c -> CONFUSABLE.indexOf(c) >= 0 || c == '-' || Character.isDigit(c))
                && label.chars().anyMatch(Character::isLetter);
    }
}
