package switchboard.backend.agentroot.source;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import switchboard.backend.embedded.FrontMatterBlock;
import switchboard.backend.embedded.FrontMatterPermission;
import switchboard.backend.embedded.PermissionFiles;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.DocumentConverter;
import switchboard.files.OpenFolder;
import switchboard.files.OpenedFile;
import switchboard.store.AllowedReaders;

/**
 * Who may read the files of a collection, by what is around them. Blocks.
 *
 * @param roots the folders that are open
 * @param modes whether modes and owners of the files say it, too
 */
record FilePermissions(Roots roots, boolean modes) {
    /** As many bytes as front matter can have, and some for blank lines above it. */
    private static final int START = 4 * FrontMatterBlock.MAX_LENGTH + 1_024;

    /**
     * Who may read a file below the roots, by what is known without its content.
     *
     * @throws ToolException {@code NOT_FOUND} if it is not there any more
     */
    SourcePermission of(Path file) {
        SourcePermission beside = SourcePermission.of(() -> beside(file));
        return modes ? beside.and(() -> byMode(file)) : beside;
    }

    /** The same, without a failure: unknown if the file is not there any more. */
    SourcePermission ofUnread(Path file) {
        try {
            return of(file);
        } catch (ToolException _) {
            return SourcePermission.UNKNOWN;
        }
    }

    /**
     * The same of a file that can't be stored, also by the front matter at its start.
     *
     * @param name its path in the collection
     */
    SourcePermission withFrontMatter(Path file, String name) {
        SourcePermission around = ofUnread(file);
        if (DocumentConverter.declaresOther(name)) {
            return around;
        }
        try (OpenedFile opened = OpenedFile.open(roots.above(file), file)) {
            String text =
                    DocumentConverter.anyText(wholeCharacters(opened.content().readNBytes(START)));
            return around.and(() -> FrontMatterPermission.of(text).readers());
        } catch (IOException _) {
            return around.inPart();
        }
    }

    /** The start of a text up to its last ASCII character, because a part of the character behind it may be missing. */
    private static byte[] wholeCharacters(byte[] start) {
        int end = start.length;
        while (start.length == START && end > 0 && start[end - 1] < 0) {
            end--;
        }
        return Arrays.copyOf(start, end);
    }

    private AllowedReaders beside(Path file) {
        try {
            return PermissionFiles.of(roots.above(file), file);
        } catch (NoSuchFileException _) {
            throw gone();
        } catch (IOException e) {
            throw new IllegalArgumentException("a folder above it can't be read", e);
        }
    }

    private AllowedReaders byMode(Path file) {
        Path above = file.getParent();
        if (above == null) {
            throw new IllegalArgumentException("it has no mode");
        }
        try (OpenFolder folder = OpenFolder.open(roots.above(file), above)) {
            return FileMode.readers(folder.posixAttributes(file.getFileName()));
        } catch (NoSuchFileException _) {
            throw gone();
        } catch (IOException | UnsupportedOperationException e) {
            throw new IllegalArgumentException("its mode and its owner can't be read", e);
        }
    }

    /** The failure for a file that is not there any more. */
    static ToolException gone() {
        return new ToolException(FailureKind.NOT_FOUND, "is not there any more, or leads out of the open folders");
    }
}
