package switchboard.testing;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Renders {@code k8s/chart} in a process of its own: Helm is a Go library, whose runtime does not leave a JVM again. Each
 * argument is a file of values, beside which the objects ({@code .out}) or the complaint ({@code .err}) are written.
 */
public final class HelmProgram {
    private HelmProgram() {}

    /** The program: the name of the release, then files. */
    public static void main(String[] arguments) throws IOException {
        Path chart = Path.of("k8s", "chart");
        var lint = new Helm(chart).lint().strict().call();
        if (lint.isFailed()) {
            throw new IOException("helm lint: " + lint.getMessages());
        }
        for (int index = 1; index < arguments.length; index++) {
            TemplateCommand template = new Helm(chart)
                    .template()
                    .withName(arguments[0])
                    .withNamespace("gateways")
                    .withKubeVersion("1.37.0")
                    .withValuesFile(Path.of(arguments[index]));
            try {
                Files.writeString(Path.of(arguments[index] + ".out"), template.call());
            } catch (IllegalStateException e) {
                Files.writeString(Path.of(arguments[index] + ".err"), String.valueOf(e.getMessage()));
            }
        }
    }
}
