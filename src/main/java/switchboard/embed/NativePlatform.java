package switchboard.embed;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An operating system and processor: decides whether the class path has a native library for it.
 *
 * @param os as the system property {@code os.name} has it, such as {@code Mac OS X}
 * @param arch as {@code os.arch} has it, such as {@code x86_64}
 */
public record NativePlatform(String os, String arch) {
    /** The platform of this process. */
    public static NativePlatform current() {
        return new NativePlatform(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    /**
     * Why the shipped model can't run on this platform; empty if it can, as far as the files on the class path show.
     *
     * @return a sentence for operators
     */
    public Optional<String> missingModelLibrary() {
        for (ModelLibrary library : ModelLibrary.values()) {
            boolean there = library.file(this)
                    .map(NativePlatform.class.getClassLoader()::getResource)
                    .isPresent();
            if (!there) {
                return Optional.of("The shipped embedding model can't run on " + this + ": " + library.title()
                        + " has no native library for it.");
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return os + " " + arch;
    }

    /** The system as both libraries call it; empty for one that neither knows. */
    private Optional<String> system() {
        String name = os.toLowerCase(Locale.ROOT);
        if (name.startsWith("linux")) {
            return Optional.of("linux");
        }
        if (name.startsWith("mac")) {
            return Optional.of("osx");
        }
        return name.startsWith("windows") ? Optional.of("win") : Optional.empty();
    }

    /** Whether the processor is a 64-bit x86, which has several names. */
    private boolean isX64() {
        return List.of("amd64", "x86_64", "x64").contains(arch);
    }

    /** The name of the file of a library that is called {@code name}. */
    private static String fileName(String system, String name) {
        return switch (system) {
            case "win" -> name + ".dll";
            case "osx" -> "lib" + name + ".dylib";
            default -> "lib" + name + ".so";
        };
    }

    /** A native library that the shipped model needs. Each names the platforms in its jar in a way of its own. */
    private enum ModelLibrary {
        ONNX_RUNTIME("ONNX Runtime", "ai/onnxruntime/native/", "x64", "/", "onnxruntime"),
        TOKENIZER("the tokenizer", "native/lib/", "x86_64", "/cpu/", "tokenizers");

        private final String title;
        private final String folder;
        private final String x64;
        private final String end;
        private final String name;

        ModelLibrary(String title, String folder, String x64, String end, String name) {
            this.title = title;
            this.folder = folder;
            this.x64 = x64;
            this.end = end;
            this.name = name;
        }

        String title() {
            return title;
        }

        /** The resource that its file for {@code platform} would be. */
        Optional<String> file(NativePlatform platform) {
            return platform.system()
                    .map(system -> folder + system + "-" + (platform.isX64() ? x64 : platform.arch) + end
                            + fileName(system, name));
        }
    }
}
