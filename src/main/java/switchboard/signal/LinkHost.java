package switchboard.signal;

import java.lang.Character.UnicodeScript;
import java.util.Locale;
import java.util.Set;

/** What the host of a link looks like. */
final class LinkHost {
    /** Endings by which a text without a scheme is taken for a host, and not for a file or a product. */
    private static final Set<String> ENDINGS = Set.of(
            "com", "org", "net", "gov", "edu", "bank", "de", "fr", "es", "it", "nl", "uk", "cn", "jp", "eu", "ru", "ch",
            "at");

    private static final Set<String> SECOND_LEVEL = Set.of("co", "com", "ac", "gov", "org", "net", "edu", "go", "or");
    /** Letters of other scripts that look like Latin ones. */
    private static final String CONFUSABLE = "аеорсухіјѕһԁԛԝӏοανρυικ";

    private static final String SLASHES = "\u2044\u2215\uFF0F\u29F8";
    private static final int LONGEST = 255;

    private LinkHost() {}

    /** Whether {@code name} is a host by its ending. */
    static boolean known(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 && host(name) && ENDINGS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
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
        String[] labels = host.toLowerCase(Locale.ROOT).split("\\.");
        int last = labels.length - 1;
        if (last < 1) {
            return host.toLowerCase(Locale.ROOT);
        }
        String two = labels[last - 1] + "." + labels[last];
        return last > 1 && labels[last].length() == 2 && SECOND_LEVEL.contains(labels[last - 1])
                ? labels[last - 2] + "." + two
                : two;
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
            if (InvisibleCharacters.zeroWidth(c) || SLASHES.indexOf(c) >= 0) {
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
