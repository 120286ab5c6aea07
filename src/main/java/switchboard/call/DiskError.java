package switchboard.call;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reasons why a disk can't be written, which the operator can fix. */
@SuppressWarnings("ImmutableEnumChecker") // what List.of gives
public enum DiskError {
    /** No free space, or no free file entries. */
    FULL(
            "the disk is full",
            "Ask the operator to make room; it works again as soon as there is some, without a restart.",
            List.of("no space left", "not enough space", "not enough disk space", "disk full"),
            List.of(28)),
    /** The quota of the user or folder is used up. */
    QUOTA(
            "the disk is full: the quota of the gateway's user is used up",
            "Ask the operator to make room or to raise the quota; it works again then, without a restart.",
            List.of("disk quota", "quota exceeded"),
            List.of(122, 69)),
    /** Mounted read-only, perhaps by the system after an error. */
    READ_ONLY(
            "the file system is read-only",
            "Ask the operator to mount it writable; it works again then, without a restart.",
            List.of("read-only file system"),
            List.of(30)),
    /** A file has reached the maximum size of the system. */
    TOO_LARGE(
            "a file reached the largest size that the system allows",
            "Ask the operator to raise the limit (ulimit -f).",
            List.of("file too large"),
            List.of(27)),
    /** The device has an error. */
    FAULTY(
            "the disk reports a fault",
            "Ask the operator to look at the disk.",
            List.of("input/output error"),
            List.of(5));

    private static final int DEEPEST = 20;

    private final String problem;
    private final String remedy;
    private final List<String> texts;
    private final List<Integer> numbers;

    DiskError(String problem, String remedy, List<String> texts, List<Integer> numbers) {
        this.problem = problem;
        this.remedy = remedy;
        this.texts = texts;
        this.numbers = numbers;
    }

    /** The problem, as a part of a sentence: {@code the disk is full}. */
    public String problem() {
        return problem;
    }

    /**
     * The problem with a file that {@code failure} reports, as a part of a sentence and without the file's path: {@code permission
     * denied}. The name of its class if it is about something else.
     */
    public static String problem(Throwable failure) {
        return in(failure).map(DiskError::problem).orElseGet(() -> switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "there is no such file or folder";
            case FileAlreadyExistsException _ -> "there is a file of this name already";
            case NotDirectoryException _ -> "this is not a folder";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            case UncheckedIOException unchecked when unchecked.getCause() != null -> problem(unchecked.getCause());
            default -> failure.getClass().getSimpleName();
        });
    }

    /** The advice for the operator, in sentences. */
    public String remedy() {
        return remedy;
    }

    /** The failure of an operation because of this; {@code what} begins the sentence. */
    public ToolReply.Failed failed(String what) {
        return new ToolReply.Failed(FailureKind.UNAVAILABLE, what + ": " + problem + ". " + remedy)
                .withCode("DISK_" + name());
    }

    /** Whether {@code failure} is one that {@link #failed} made. */
    public static boolean caused(Throwable failure) {
        return failure instanceof ToolException known
                && known.failed().kind() == FailureKind.UNAVAILABLE
                && String.valueOf(known.failed().code()).startsWith("DISK_");
    }

    /** The disk problem that caused {@code failure}, however libraries have wrapped it. */
    public static Optional<DiskError> in(Throwable failure) {
        return in(failure, DEEPEST);
    }

    private static Optional<DiskError> in(Throwable failure, int deepest) {
        Throwable at = failure;
        for (int depth = deepest; at != null && depth > 0; depth--) {
            Optional<DiskError> found = said(at);
            if (found.isPresent()) {
                return found;
            }
            for (Throwable other : at.getSuppressed()) {
                Optional<DiskError> beside = depth > 1 ? in(other, 1) : Optional.empty();
                if (beside.isPresent()) {
                    return beside;
                }
            }
            at = at.getCause();
        }
        return Optional.empty();
    }

    /** Checks exceptions of the system only, because others may quote documents. */
    private static Optional<DiskError> said(Throwable at) {
        boolean systems = at instanceof FileSystemException
                || at.getClass() == IOException.class
                || at.getClass() == UncheckedIOException.class;
        String text =
                at instanceof FileSystemException file && file.getReason() != null ? file.getReason() : at.getMessage();
        return systems && text != null ? named(text.toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    private static Optional<DiskError> named(String text) {
        for (DiskError trouble : values()) {
            for (String known : SystemTexts.ALL.getOrDefault(trouble, trouble.texts)) {
                if (text.startsWith(known) || text.endsWith(known)) {
                    return Optional.of(trouble);
                }
            }
        }
        return Optional.empty();
    }

    /** The system's messages, in English and in the language of its user. */
    private static final class SystemTexts {
        private static final Map<DiskError, List<String>> ALL = all();

        private static Map<DiskError, List<String>> all() {
            Map<DiskError, List<String>> all = new java.util.EnumMap<>(DiskError.class);
            for (DiskError trouble : values()) {
                List<String> texts = new ArrayList<>(trouble.texts);
                for (int number : trouble.numbers) {
                    // 122 and 69 are the quota on Linux and on macOS, and something else on the other.
                    text(number)
                            .filter(text -> trouble.numbers.size() == 1 || text.contains("quota"))
                            .ifPresent(texts::add);
                }
                all.put(trouble, texts);
            }
            return all;
        }

        @SuppressWarnings("restricted") // the launcher allows native access, which the models need, too
        private static Optional<String> text(int number) {
            Linker linker = Linker.nativeLinker();
            return linker.defaultLookup().find("strerror").flatMap(strerror -> {
                MethodHandle call = linker.downcallHandle(
                        strerror, FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment text = (MemorySegment) call.invokeExact(number);
                    return Optional.of(text.reinterpret(1024, arena, null).getString(0))
                            .map(found -> found.toLowerCase(Locale.ROOT))
                            .filter(found -> found.length() > 5);
                } catch (Throwable e) { // what MethodHandle.invokeExact declares
                    return Optional.empty();
                }
            });
        }
    }
}
