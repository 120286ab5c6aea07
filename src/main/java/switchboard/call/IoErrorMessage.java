package switchboard.call;

import java.io.IOException;
import java.util.regex.Pattern;

/** Describes I/O failures for people. */
public final class IoErrorMessage {
    /** Messages of Netty's epoll transport begin with the system call and the error number. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private IoErrorMessage() {}

    /** The failure's message without details of the transport, or its class name. */
    public static String of(IOException failure) {
        String text = failure.getMessage();
        return text == null
                ? failure.getClass().getSimpleName()
                : SYSTEM_CALL.matcher(text).replaceFirst("");
    }
}
