package switchboard.protocol;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The instructions for agents: the operator's text, and which parts can't be used now. */
public final class Instructions {
    private final ProtocolServices services;
    private final ChangeSubscribers changeSubscribers;

    /** Instructions from {@code services}' settings and providers. */
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
        List<String> lines = Stream.concat(
                        Stream.ofNullable(services.settings().server().instructions()), troubles)
                .toList();
        return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", lines));
    }
}
