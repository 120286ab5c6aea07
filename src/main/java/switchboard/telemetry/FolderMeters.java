package switchboard.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Meters for free disk space and sizes of folders. Measured when metrics are read, which blocks. A value that can't be
 * read is NaN.
 */
public final class FolderMeters {
    private FolderMeters() {}

    private interface Reader {
        long bytes(Path folder) throws IOException;
    }

    /** Registers gauges for the free space and the size of the disk with {@code folder}. */
    public static void space(MeterRegistry registry, Path folder) {
        Path whole = folder.toAbsolutePath().normalize();
        gauge(MetricNames.FOLDER_FREE, whole, path -> store(path).getUsableSpace())
                .description("Free space for this process on the disk of the folder")
                .tag(MetricNames.FOLDER, whole.toString())
                .register(registry);
        gauge(MetricNames.FOLDER_TOTAL, whole, path -> store(path).getTotalSpace())
                .description("Size of the disk of the folder")
                .tag(MetricNames.FOLDER, whole.toString())
                .register(registry);
    }

    /** Registers a gauge for the size of the files of {@code store} in {@code folder}. */
    public static void size(MeterRegistry registry, String store, Path folder) {
        gauge(MetricNames.STORE_SIZE, folder, FolderMeters::size)
                .description("Size of the store's files")
                .tag(MetricNames.STORE, store)
                .register(registry);
    }

    private static Gauge.Builder<Path> gauge(String name, Path folder, Reader look) {
        return Gauge.builder(name, folder, path -> {
                    try {
                        return look.bytes(path);
                    } catch (IOException _) {
                        return Double.NaN;
                    }
                })
                .baseUnit(BaseUnits.BYTES)
                .strongReference(true);
    }

    private static FileStore store(Path folder) throws IOException {
        return Files.getFileStore(folder);
    }

    private static long size(Path folder) throws IOException {
        Sum sum = new Sum();
        Files.walkFileTree(folder, sum);
        return sum.bytes;
    }

    /** Sums the sizes of regular files. Files that are removed meanwhile do not count. */
    private static final class Sum extends SimpleFileVisitor<Path> {
        private long bytes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
                bytes += attributes.size();
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
        }
    }
}
