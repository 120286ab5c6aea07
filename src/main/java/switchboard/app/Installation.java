package switchboard.app;

import java.nio.file.Path;
import java.util.Optional;
import switchboard.embed.ModelFolders;

/**
 * The folders of an installation, and how often its gateways do what nobody asks them for.
 *
 * @param home the folder with {@code backends/}, {@code conf/} and {@code docs/}
 * @param data the folder that relative data folders of the configuration start from
 * @param periods how often
 */
public record Installation(Path home, Path data, Periods periods) {
    /** The system property that the launcher sets to {@link #home}. */
    public static final String HOME_PROPERTY = "switchboard.home";

    /** The installation of this process: the folder that the launcher named, or the working directory. */
    public static Installation current() {
        Path home =
                Path.of(System.getProperty(HOME_PROPERTY, "")).toAbsolutePath().normalize();
        return new Installation(home, home, Periods.USUAL);
    }

    /** The same with another data folder. */
    public Installation withData(Path folder) {
        return new Installation(home, folder.toAbsolutePath().normalize(), periods);
    }

    /** The same with other periods. */
    public Installation withPeriods(Periods others) {
        return new Installation(home, data, others);
    }

    /** The configuration file that is used by default. */
    public Path defaultConfig() {
        return home.resolve("conf").resolve("switchboard.yaml");
    }

    /** The file that declares the tools of a backend type. */
    public Path toolsFile(String backendType) {
        return home.resolve("backends").resolve(backendType).resolve("tools.json");
    }

    /** Where the files of embedding models are that the operator brings. */
    ModelFolders models() {
        return ModelFolders.of(home, data);
    }

    /** The version of this build; {@code development} outside a packaged jar. */
    public static String version() {
        return Optional.ofNullable(Installation.class.getPackage().getImplementationVersion())
                .orElse("development");
    }
}
