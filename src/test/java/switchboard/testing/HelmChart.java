package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code k8s/chart} as Helm renders it. */
public final class HelmChart {
    private HelmChart() {}

    /**
     * What Helm makes of values.
     *
     * @param objects as YAML; empty if it refuses the values
     * @param complaint why it refuses them; empty if it does not
     */
    public record Rendered(String objects, String complaint) {}

    /** Renders the chart as {@code release} with each of several files of values. */
    public static List<Rendered> render(String release, List<String> values) {
        try {
            Path folder = Files.createTempDirectory("switchboard-helm-");
            List<String> command = new ArrayList<>(List.of(SwitchboardProcess.program()));
            command.addAll(SwitchboardProcess.SHORT_LIVED);
            command.addAll(List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    HelmProgram.class.getName(),
                    release));
            List<Path> files = new ArrayList<>();
            for (String text : values) {
                files.add(Files.writeString(folder.resolve("values" + files.size() + ".yaml"), text));
            }
            files.forEach(file -> command.add(file.toString()));
            Programs.run(command, null);
            List<Rendered> rendered = new ArrayList<>();
            for (Path file : files) {
                rendered.add(new Rendered(written(file, ".out"), written(file, ".err")));
            }
            Programs.delete(folder);
            return rendered;
        } catch (IOException e) {
            throw new AssertionError("the chart can't be rendered", e);
        }
    }

    private static String written(Path file, String ending) throws IOException {
        Path written = Path.of(file + ending);
        return Files.exists(written) ? Files.readString(written) : "";
    }
}
