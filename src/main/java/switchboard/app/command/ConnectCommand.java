package switchboard.app.command;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.BackendTypes;
import switchboard.app.RunningGateway;
import switchboard.app.StartupCheck;
import switchboard.catalog.ToolCatalog;
import switchboard.config.AuthConfig;
import switchboard.config.GatewayConfig;

/** {@code switchboard connect}. */
@Command(
        name = "connect",
        description = "Print what to paste into a client so that it uses this gateway.",
        footer = "  switchboard connect claude-code --view vectordb")
public final class ConnectCommand extends PrintingCommand implements Callable<Integer> {
    private static final String ENDPOINT = "/mcp";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Parameters(
            paramLabel = "CLIENT",
            description = "claude-desktop, claude-code, cursor, vscode, continue, inspector, typescript, python,"
                    + " langchain or curl.")
    private String client = "";

    @Option(names = "--view", paramLabel = "VIEW", description = "What the client sees; by default everything.")
    private String view = "";

    @Option(names = "--url", paramLabel = "URL", description = "MCP URL of a gateway elsewhere; assumed to need a key.")
    private @Nullable URI url;

    @Option(names = "--stdio", description = "Let the client start the gateway itself instead of calling its URL.")
    private boolean stdio;

    @Option(
            names = "--client-id",
            paramLabel = "ID",
            description =
                    "For sign-in by OAuth: the id under which the identity provider knows the client, if clients can't"
                            + " register themselves there.")
    private @Nullable String clientId;

    @Override
    public Integer call() {
        Logging.forPeople();
        ClientSetup setup = setup();
        checkView();
        return clientId == null ? print(setup) : printSignIn(setup, clientId);
    }

    private int printSignIn(ClientSetup setup, String id) {
        if (stdio) {
            throw wrongUsage("--client-id is for a URL; a client that starts the gateway itself does not sign in.");
        }
        if (id.isBlank() || id.chars().anyMatch(Character::isISOControl)) {
            throw wrongUsage("Not a client id: \"" + id + "\"");
        }
        String snippet = setup.signIn(of(url == null ? base(options.load(BackendTypes.shipped())) : url), id)
                .orElseThrow(() -> wrongUsage("Where " + setup.id() + " takes a client id is not known. It is for: "
                        + Arrays.stream(ClientSetup.values())
                                .filter(known -> known.signIn(URI.create("https://x.example"), id)
                                        .isPresent())
                                .map(ClientSetup::id)
                                .collect(Collectors.joining(", "))
                        + "."));
        PrintWriter err = err();
        err.println("For " + setup.place() + ":");
        err.println(
                "The client opens the identity provider's page to sign in; docs/clients.md names the redirect URI to"
                        + " register there.");
        err.flush();
        return printed(snippet);
    }

    private int print(ClientSetup setup) {
        boolean started = stdio || (setup == ClientSetup.CLAUDE_DESKTOP && url == null);
        ServerEntry server = started ? program() : address();
        PrintWriter err = err();
        err.println("For " + setup.place() + ":");
        if (server instanceof ServerEntry.Url(URI _, boolean key) && key) {
            err.println("The key is read from " + ServerEntry.KEY_VARIABLE
                    + " or the client asks for it; an operator makes one with \"switchboard keys create\".");
        }
        if (view.isEmpty() && url == null) {
            err.println("It will list all tools; with --view " + ToolCatalog.CORE
                    + " it lists about ten, and finds the others when it needs them.");
        }
        err.flush();
        return printed(setup.snippet(server));
    }

    private int printed(String snippet) {
        PrintWriter out = out();
        out.print(snippet.stripTrailing() + System.lineSeparator());
        out.flush();
        return 0;
    }

    private ClientSetup setup() {
        return Arrays.stream(ClientSetup.values())
                .filter(known -> known.id().equals(client))
                .findFirst()
                .orElseThrow(() -> wrongUsage(unknown(
                        "client",
                        client,
                        Arrays.stream(ClientSetup.values()).map(ClientSetup::id).toList())));
    }

    private static String unknown(String what, String name, Collection<String> known) {
        return "There is no " + what + " \"" + name + "\"."
                + UsageErrors.closest(name, known)
                        .map(meant -> " Did you mean \"" + meant + "\"?")
                        .orElse("")
                + " There are: " + String.join(", ", known) + ".";
    }

    /** Checks the view. For a remote gateway, only whether the name is well-formed. */
    private void checkView() {
        if (view.isEmpty()) {
            return;
        }
        if (url != null) {
            if (!NAME.matcher(view).matches()) {
                throw wrongUsage("Not a valid name of a view: \"" + view + "\"");
            }
            return;
        }
        BackendTypes types = BackendTypes.shipped();
        TreeSet<String> views = new TreeSet<>(StartupCheck.catalog(options.load(types), options.installation(), types)
                .viewNames());
        views.remove("");
        if (!views.contains(view)) {
            throw wrongUsage(unknown("view", view, views));
        }
    }

    private ServerEntry program() {
        List<String> arguments = new ArrayList<>(List.of("stdio"));
        if (!view.isEmpty()) {
            arguments.addAll(List.of("--view", view));
        }
        arguments.addAll(options.given());
        Path launcher = options.installation().home().resolve("switchboard");
        return new ServerEntry.Program(launcher.toString(), arguments);
    }

    private ServerEntry address() {
        if (url != null) {
            return new ServerEntry.Url(of(url), true);
        }
        GatewayConfig config = options.load(BackendTypes.shipped());
        boolean key = config.auth().mode() != AuthConfig.Mode.NONE
                && config.auth().anonymous().team() == null;
        return new ServerEntry.Url(of(base(config)), key);
    }

    private URI base(GatewayConfig config) {
        return Optional.ofNullable(config.server().publicUrl())
                .or(() -> RunningGateway.find(options.installation().data()))
                .orElseGet(() -> local(config));
    }

    private static URI local(GatewayConfig config) {
        String host = config.server().host();
        String reachable = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        return URI.create("http://" + (reachable.contains(":") ? "[" + reachable + "]" : reachable) + ":"
                + config.server().port());
    }

    /**
     * The URL of the view.
     *
     * @param base the URL of the endpoint, or of the server
     */
    private URI of(URI base) {
        String text = base.toString().replaceAll("(?<!/)/+$", "");
        String path = base.getPath() == null ? "" : base.getPath();
        String endpoint = path.matches(".*" + ENDPOINT + "(/[^/]+)?/?") ? text : text + ENDPOINT;
        return URI.create(view.isEmpty() ? endpoint : endpoint + "/" + view);
    }
}
