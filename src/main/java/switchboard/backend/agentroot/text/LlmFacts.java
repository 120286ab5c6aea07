package switchboard.backend.agentroot.text;

import java.util.List;
import java.util.Optional;

/** A language model's description of a document. Missing parts are empty. */
public record LlmFacts(
        Optional<String> summary,
        Optional<String> category,
        Optional<String> difficulty,
        List<String> keywords,
        List<String> concepts) {
    /** No model was used. */
    public static final LlmFacts NONE =
            new LlmFacts(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of());

    public LlmFacts {
        keywords = List.copyOf(keywords);
        concepts = List.copyOf(concepts);
    }
}
