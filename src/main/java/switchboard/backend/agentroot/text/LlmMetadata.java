package switchboard.backend.agentroot.text;

import java.util.List;
import java.util.Optional;

/** A language model's description of a document. Missing parts are empty. */
public record LlmMetadata(
        Optional<String> summary,
        Optional<String> category,
        Optional<String> difficulty,
        List<String> keywords,
        List<String> concepts) {
    /** No model was used. */
    public static final LlmMetadata NONE =
            new LlmMetadata(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of());

    public LlmMetadata {
        keywords = List.copyOf(keywords);
        concepts = List.copyOf(concepts);
    }
}
