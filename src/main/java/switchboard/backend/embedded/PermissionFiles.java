package switchboard.backend.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.files.OpenFolder;
import switchboard.store.AllowedReaders;

/**
 * Files that say who may read others: {@code NAME.allow.yaml} beside the file {@code NAME}, and {@code .allow.yaml} in a
 * folder for all files in it and below it. Each has the key {@code allow} and nothing else. The readers of a file are in
 * the list of each of them. Blocks: call it on an executor.
 */
public final class PermissionFiles {
    /** How their names end. {@code .yml} is read, too. */
    public static final String SUFFIX = ".allow.yaml";

    private static final List<String> SUFFIXES = List.of(SUFFIX, ".allow.yml");

    /** Maximum length of a file's name in bytes; a longer one can't exist. */
    private static final int MAX_NAME = 255;

    private PermissionFiles() {}

    /** An entry of a folder. */
    private interface PermissionFile {
        BasicFileAttributes attributes() throws IOException;

        InputStream open() throws IOException;
    }

    /** Whether a file of that name says who may read others. */
    public static boolean isOne(String name) {
        return SUFFIXES.stream().anyMatch(name::endsWith);
    }

    /**
     * Whether a file of that name is meant to say who may read others. Capitals at its end count, too, although such a file is not
     * read.
     */
    public static boolean isMeantAsOne(String name) {
        return isOne(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Why a file that is meant to say who may read others does not do so. Empty if it does, or is no such file.
     *
     * @param name its name
     * @param folder all names in its folder
     */
    public static Optional<String> problem(String name, Set<String> folder) {
        if (!isMeantAsOne(name)) {
            return Optional.empty();
        }
        if (!isOne(name)) {
            return Optional.of("is not read: its name must end in " + SUFFIX + ", in small letters");
        }
        return SUFFIXES.stream()
                .filter(name::endsWith)
                .map(suffix -> name.substring(0, name.length() - suffix.length()))
                .filter(about -> !about.isEmpty() && !folder.contains(about))
                .map(_ -> "says who may read a file that is not there; its name is that of the file and " + SUFFIX)
                .findFirst();
    }

    /**
     * Who may read a file, by the files beside it, in its folder and in all folders above it.
     *
     * @param root a real path that only the operator can change; below it, no symbolic link is followed
     * @param real the real path of a file below it
     * @throws IllegalArgumentException that names the file that is wrong or can't be read, and says how to mend it
     * @throws IOException if a folder can't be opened
     */
    public static AllowedReaders of(Path root, Path real) throws IOException {
        AllowedReaders readers = AllowedReaders.ALL;
        for (Path above = root.getParent(); above != null; above = above.getParent()) {
            readers = and(readers, of(above), real);
        }
        OpenFolder at = OpenFolder.open(root, root);
        try {
            readers = and(readers, ofFolder(at), real);
            Path below = root.relativize(real);
            for (int i = 0; i < below.getNameCount() - 1; i++) {
                OpenFolder next;
                try (OpenFolder above = at) {
                    next = above.folder(below.getName(i));
                }
                at = next;
                readers = and(readers, ofFolder(at), real);
            }
            return and(readers, ofFile(at, below.getFileName().toString()), real);
        } finally {
            at.close();
        }
    }

    private static AllowedReaders and(AllowedReaders some, AllowedReaders more, Path file) {
        try {
            return some.and(more);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the files " + SUFFIX + " above " + file.getFileName() + " or beside it: " + e.getMessage(), e);
        }
    }

    /** Who may read the files in {@code folder} and below it, by what that folder itself has. */
    private static AllowedReaders ofFolder(OpenFolder folder) {
        return ofFile(folder, "");
    }

    /** Who may read the file {@code name} in {@code folder}, by what is beside it. */
    private static AllowedReaders ofFile(OpenFolder folder, String name) {
        AllowedReaders readers = AllowedReaders.ALL;
        for (String suffix : SUFFIXES) {
            String full = name + suffix;
            if (full.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME) {
                Path entry = Path.of(full);
                readers = readers.and(of(folder.path().resolve(entry), new PermissionFile() {
                    @Override
                    public BasicFileAttributes attributes() throws IOException {
                        return folder.attributes(entry);
                    }

                    @Override
                    public InputStream open() throws IOException {
                        return folder.file(entry);
                    }
                }));
            }
        }
        return readers;
    }

    /** The same of a folder above the one that is open, which the gateway may perhaps not list. */
    private static AllowedReaders of(Path folder) {
        AllowedReaders readers = AllowedReaders.ALL;
        for (String suffix : SUFFIXES) {
            Path file = folder.resolve(suffix);
            readers = readers.and(of(file, new PermissionFile() {
                @Override
                public BasicFileAttributes attributes() throws IOException {
                    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                }

                @Override
                public InputStream open() throws IOException {
                    return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
                }
            }));
        }
        return readers;
    }

    private static AllowedReaders of(Path shown, PermissionFile entry) {
        try {
            if (!entry.attributes().isRegularFile()) {
                throw wrong(shown, "it is a symbolic link, a folder or a device; put a file there", null);
            }
            try (InputStream in = entry.open()) {
                return parsed(shown, in.readNBytes(PermissionYaml.MAX_LENGTH + 1));
            }
        } catch (NoSuchFileException _) {
            return AllowedReaders.ALL;
        } catch (IOException e) {
            throw wrong(shown, "it can't be read; make it readable for the gateway", e);
        }
    }

    private static AllowedReaders parsed(Path shown, byte[] bytes) {
        if (bytes.length > PermissionYaml.MAX_LENGTH) {
            throw wrong(shown, "it is larger than " + PermissionYaml.MAX_LENGTH + " bytes; use groups", null);
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            PermissionYaml.Mapping mapping = PermissionYaml.read(text.startsWith("\uFEFF") ? text.substring(1) : text);
            if (!mapping.others().isEmpty()) {
                throw new IllegalArgumentException("it has more than allow; remove the other keys");
            }
            return mapping.entry()
                    .orElseThrow(
                            () -> new IllegalArgumentException("it has no allow; write one, such as allow: [group:hr]"))
                    .readers();
        } catch (CharacterCodingException e) {
            throw wrong(shown, "it is not UTF-8; store it as UTF-8", e);
        } catch (IllegalArgumentException e) {
            throw wrong(shown, String.valueOf(e.getMessage()), e);
        }
    }

    private static IllegalArgumentException wrong(Path shown, String why, @Nullable Throwable cause) {
        return new IllegalArgumentException(shown + ", which says who may read it, is wrong: " + why, cause);
    }
}
