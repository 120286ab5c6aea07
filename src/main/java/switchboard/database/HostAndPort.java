package switchboard.database;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A host, as a name or an address, and a port. */
public record HostAndPort(String host, int port) {
    /** Without brackets. */
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%\\w+)?");

    /**
     * Parses addresses separated by commas: {@code db1}, {@code db1:5433,db2}, {@code [::1]:5432}.
     *
     * @param port the default port
     * @throws IllegalArgumentException if {@code text} is something else
     */
    public static List<HostAndPort> list(String text, int port) {
        List<HostAndPort> addresses = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            addresses.add(of(one.strip(), port));
        }
        return List.copyOf(addresses);
    }

    private static HostAndPort of(String text, int port) {
        int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
        boolean address = IPV6.matcher(text).matches();
        String host = end < 0 || address ? text : text.substring(0, end);
        String rest = end < 0 || address ? "" : text.substring(end);
        if (host.isEmpty() || !(rest.isEmpty() || rest.matches(":\\d{1,5}"))) {
            throw new IllegalArgumentException("\"" + text + "\" is not a host with or without a port");
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new HostAndPort(bare, rest.isEmpty() ? port : Integer.parseInt(rest.substring(1)));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
