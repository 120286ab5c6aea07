package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decides which tool definitions are published: those that an operator, or their first use, has approved. */
record ApprovalPolicy(McpSettings.Hold hold) {
    /**
     * The decision.
     *
     * @param published in the order of the list
     * @param held the definitions that are held back, with reasons
     * @param approvals what to store
     */
    record ApprovalResult(
            List<ToolDefinition> published, List<ToolDefinition.Unusable> held, ApprovalFile.ToolApprovals approvals) {}

    /** Decides on {@code offered}, whose names are distinct. */
    ApprovalResult decide(List<ToolDefinition> offered, ApprovalFile.ToolApprovals approvals) {
        Map<String, String> approved = new TreeMap<>(approvals.approved());
        Map<String, ObjectNode> waiting = new TreeMap<>(approvals.held());
        Map<String, ObjectNode> before = new TreeMap<>(approvals.before());
        approvals.listed().forEach(entry -> before.put(entry.path("name").asText(), entry));
        List<ToolDefinition> published = new ArrayList<>();
        List<ToolDefinition.Unusable> held = new ArrayList<>();
        for (ToolDefinition definition : offered) {
            String known = approved.get(definition.name());
            boolean passes =
                    switch (hold) {
                        case NOTHING -> true;
                        case CHANGES -> known == null || known.equals(definition.hash());
                        case ALL -> definition.hash().equals(known);
                    };
            if (passes) {
                approved.put(definition.name(), definition.hash());
                waiting.remove(definition.name());
                published.add(definition);
            } else {
                waiting.put(definition.name(), definition.entry());
                held.add(new ToolDefinition.Unusable(
                        definition.name(),
                        known == null
                                ? "it is new and not approved"
                                : "its definition has changed since it was approved"));
            }
        }
        before.keySet().retainAll(waiting.keySet());
        return new ApprovalResult(
                published,
                held,
                new ApprovalFile.ToolApprovals(
                        approved,
                        waiting,
                        before,
                        published.stream().map(ToolDefinition::entry).toList()));
    }
}
