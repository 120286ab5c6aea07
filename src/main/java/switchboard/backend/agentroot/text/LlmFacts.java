package switchboard.backend.agentroot.text;

import java.util.List;
import java.util.Optional;

/** What a language model says of a document; empty where it says nothing. */
public record LlmFacts(
        Optional<String> summary,
        Optional<String> category,
        Optional<String> difficulty,
        List<String> keywords,
        List<String> concepts) {
    /** Nobody was asked. */
    public static final LlmFacts NONE =
            new LlmFacts(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of());

    public LlmFacts {
        keywords = List.copyOf(keywords);
        concepts = List.copyOf(concepts);
    }
}
