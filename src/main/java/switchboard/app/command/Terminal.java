package switchboard.app.command;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal that standard error is connected to, if any. On Windows it is never reported: not every console there can
 * overwrite a line.
 */
final class Terminal {
    private static final int USUAL = 80;
    private static final int STANDARD_ERROR = 2;
    private static final File CONTROLLING = new File("/dev/tty");

    private Terminal() {}

    /** The number of columns, if standard error is a terminal. */
    static Optional<Integer> columns() {
        return errorIsTerminal() ? Optional.of(asked(USUAL)) : Optional.empty();
    }

    /** The current number of columns; {@code before} if it can't be read. */
    static int asked(int before) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(CONTROLLING)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ");
            return stty.waitFor(1, TimeUnit.SECONDS) && size.length == 2 ? usable(size[1]) : before;
        } catch (IOException e) {
            return before; // no controlling terminal, or no stty
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return before;
        }
    }

    private static int usable(String columns) {
        try {
            int wide = Integer.parseInt(columns.strip());
            return wide > 0 ? wide : USUAL;
        } catch (NumberFormatException e) {
            return USUAL;
        }
    }

    @SuppressWarnings("restricted")
    private static boolean errorIsTerminal() {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("isatty")
                .map(isatty -> {
                    try {
                        return (int) linker.downcallHandle(
                                                isatty,
                                                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                                        .invokeExact(STANDARD_ERROR)
                                == 1;
                    } catch (Throwable e) { // what MethodHandle.invokeExact declares
                        throw new IllegalStateException("isatty is not as documented", e);
                    }
                })
                .orElse(false);
    }
}
