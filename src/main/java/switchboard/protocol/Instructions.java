package switchboard.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolSearch;
import switchboard.dispatch.Requester;

/** The instructions for agents: the tool for each task, and which parts can't be used now. */
public final class Instructions {
    /** Maximum length of the list of tasks, in characters. Clients put it into each conversation. */
    static final int MOST_CHARS = 1_500;

    private static final String HEAD = "Which tool for what:";

    /** The gateway's own tools first, because they reach everything. */
    private static final Comparator<PublishedTool> ORDER = Comparator.comparing(
                    (PublishedTool tool) -> !tool.backend().equals(ToolSearch.BACKEND))
            .thenComparing(PublishedTool::backend)
            .thenComparing(Instructions::line);

    private final ProtocolServices services;
    private final ChangeSubscribers changeSubscribers;

    /** Instructions by the policy and the providers of {@code services}. */
    public Instructions(ProtocolServices services) {
        this.services = services;
        this.changeSubscribers = new ChangeSubscribers(services);
    }

    /** The instructions for the caller's part of its view; empty if there are none. */
    public Optional<String> of(RpcCall call) {
        Stream<String> troubles = call.view().backends().stream()
                .sorted()
                .filter(id ->
                        changeSubscribers.concerns(call.principal(), call.view().name(), id))
                .flatMap(id -> services.providers().trouble(id).stream());
        String text = Stream.concat(tasks(call).stream(), troubles).collect(Collectors.joining("\n"));
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** The listed tools that the caller may use and that have a task. */
    private Optional<String> tasks(RpcCall call) {
        Requester requester = new Requester(call.principal(), call.view());
        List<String> lines = call.view().listed().stream()
                .filter(tool -> tool.descriptor().texts().task() != null && requester.sees(services.policy(), tool))
                .sorted(ORDER)
                .map(Instructions::line)
                .toList();
        return lines.isEmpty() ? Optional.empty() : Optional.of(bounded(lines));
    }

    private static String line(PublishedTool tool) {
        return "- " + tool.descriptor().texts().task() + ": " + tool.name();
    }

    private static String bounded(List<String> lines) {
        List<String> kept = new ArrayList<>(List.of(HEAD));
        int length = HEAD.length();
        for (String line : lines) {
            length += 1 + line.length();
            if (length > MOST_CHARS) {
                break;
            }
            kept.add(line);
        }
        return String.join("\n", kept);
    }
}
