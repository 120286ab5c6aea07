package switchboard.call;

import java.io.IOException;
import java.util.regex.Pattern;

/** What an I/O failure says to people. */
public final class IoReason {
    /** Failures of Netty's epoll transport begin with the system call and the number of the error. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private IoReason() {}

    /** Its message without what only the transport knows, or else its name. */
    public static String of(IOException failure) {
        String text = failure.getMessage();
        return text == null
                ? failure.getClass().getSimpleName()
                : SYSTEM_CALL.matcher(text).replaceFirst("");
    }
}
