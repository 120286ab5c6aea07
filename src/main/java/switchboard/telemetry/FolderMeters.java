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

/** Room on the disks and what is on them. Looked at when metrics are read, which blocks; what can't be read is NaN. */
public final class FolderMeters {
    private FolderMeters() {}

    private interface Reader {
        long bytes(Path folder) throws IOException;
    }

    /** Shows how much room there is on the disk that holds {@code folder}, and how large that disk is. */
    public static void space(MeterRegistry registry, Path folder) {
        Path whole = folder.toAbsolutePath().normalize();
        gauge(MetricNames.FOLDER_FREE, whole, path -> store(path).getUsableSpace())
                .description("Room that this process may use on the disk that holds the folder")
                .tag(MetricNames.FOLDER, whole.toString())
                .register(registry);
        gauge(MetricNames.FOLDER_TOTAL, whole, path -> store(path).getTotalSpace())
                .description("Size of the disk that holds the folder")
                .tag(MetricNames.FOLDER, whole.toString())
                .register(registry);
    }

    /** Shows what the files of {@code store} take, which are in {@code folder}. */
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

    /** Of regular files; those that are removed meanwhile do not count. */
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
