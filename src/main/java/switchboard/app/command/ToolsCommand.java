package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.Installation;
import switchboard.app.StartupCheck;
import switchboard.app.ToolsMarkdown;
import switchboard.call.Verb;
import switchboard.catalog.DescriptorReader;
import switchboard.catalog.ToolDescriptor;
import switchboard.federation.FederationBackend;

/** {@code switchboard tools}. */
@Command(
        name = "tools",
        description = "List all tools, and which of them are on with this configuration.",
        footer = "  switchboard tools --config conf/switchboard.yaml")
public final class ToolsCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Option(
            names = "--markdown",
            paramLabel = "DIR",
            description = "Write one reference page for each backend type into this folder instead.")
    private @Nullable Path markdown;

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        BackendTypes types = BackendTypes.shipped();
        if (markdown == null) {
            print(types);
        } else {
            write(types, markdown);
        }
        return 0;
    }

    private void print(BackendTypes types) {
        PrintWriter out = out();
        List<StartupCheck.BackendSummary> backends =
                StartupCheck.of(options.load(types), options.installation(), types);
        String row = "%-14s %-34s %-4s %-30s %s%n";
        out.printf(Locale.ROOT, row, "BACKEND", "TOOL", "ON", "VERBS", "TITLE");
        for (StartupCheck.BackendSummary backend : backends) {
            for (StartupCheck.ToolState tool : backend.tools()) {
                row(row, backend.id(), tool.descriptor(), tool.on() ? "yes" : "no");
            }
        }
        for (String type : types.names()) {
            if (backends.stream().noneMatch(backend -> backend.type().equals(type))) {
                descriptors(type).forEach(tool -> row(row, type, tool, "-"));
            }
        }
        out.println("ON: yes, listed; no, switched off by a setting; -, no such backend is configured.");
    }

    private void row(String format, String backend, ToolDescriptor tool, String on) {
        String verbs = tool.verbs().stream().map(Verb::word).sorted().collect(Collectors.joining(","));
        out().printf(Locale.ROOT, format, backend, tool.name(), on, verbs, tool.title());
    }

    private void write(BackendTypes types, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String type : Stream.concat(types.names().stream(), Stream.of(FederationBackend.ID))
                .toList()) {
            Path page = folder.resolve(type + ".md");
            Files.writeString(page, ToolsMarkdown.page(type, descriptors(type)));
            out().println(page);
        }
    }

    private List<ToolDescriptor> descriptors(String type) {
        Installation installation = options.installation();
        Path file = installation.toolsFile(type);
        try {
            return DescriptorReader.read(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("the tools of " + type + " can't be read from " + file, e);
        }
    }
}
