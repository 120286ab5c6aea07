package switchboard.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.Principal;
import switchboard.backend.mcp.ApprovalFile.HeldDefinition;
import switchboard.call.Json;
import switchboard.cluster.OperatorCommands.NotDecidedException;
import switchboard.console.ChangeOutcome;
import switchboard.console.ConsoleEditor;
import switchboard.console.HeldDefinitions;

/**
 * Shows and approves definitions as the command {@code upstream} does.
 *
 * @param operator who may do that: operators of the whole gateway
 */
record DefinitionApprovals(HeldTools tools, AuditedChanges changes, Predicate<Principal> operator)
        implements HeldDefinitions {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionApprovals.class);
    private static final String APPROVE = "upstream/approve";

    @Override
    public boolean mayApprove(Principal person) {
        return operator.test(person);
    }

    @Override
    public Future<ObjectNode> list() {
        return changes.executor().run(() -> {
            ObjectNode all = Json.object();
            ArrayNode held = all.putArray("held");
            ArrayNode unread = all.putArray("unread");
            for (String backend : tools.backends()) {
                try {
                    tools.of(backend).forEach(definition -> held.add(shown(backend, definition)));
                } catch (IOException e) {
                    LOG.warn("{}: the file of its approvals can't be read: {}", backend, e.toString());
                    unread.add(backend);
                }
            }
            return all;
        });
    }

    private static ObjectNode shown(String backend, HeldDefinition definition) {
        ObjectNode shown = Json.object()
                .put("backend", backend)
                .put("tool", definition.tool())
                .put("hash", definition.hash());
        shown.set("definition", definition.definition());
        definition.before().ifPresent(before -> shown.set("approved", before));
        return shown;
    }

    @Override
    public Future<ChangeOutcome> approve(ConsoleEditor editor, SeenDefinition seen) {
        return changes.make(editor, APPROVE, seen.backend() + "/" + seen.tool(), () -> approved(seen));
    }

    @Override
    public void denied(ConsoleEditor editor) {
        changes.denied(editor, APPROVE);
    }

    private ChangeOutcome approved(SeenDefinition seen) throws NotDecidedException {
        if (!tools.backends().contains(seen.backend())) {
            return unchanged(
                    ChangeOutcome.Problem.UNKNOWN,
                    "backend: there is no backend \"" + seen.backend() + "\" of the type mcp.");
        }
        try {
            List<HeldDefinition> held = new ArrayList<>();
            List<String> approved = tools.approve(seen.backend(), waiting -> {
                waiting.stream().filter(one -> one.tool().equals(seen.tool())).forEach(held::add);
                return held.stream()
                        .filter(one -> one.hash().equals(seen.hash()))
                        .map(HeldDefinition::tool)
                        .toList();
            });
            if (!approved.isEmpty()) {
                return new ChangeOutcome.Changed(
                        Json.object().put("backend", seen.backend()).put("tool", seen.tool()));
            }
            return held.isEmpty()
                    ? unchanged(
                            ChangeOutcome.Problem.UNKNOWN,
                            "tool: no definition of \"" + seen.tool() + "\" is held back at " + seen.backend() + ".")
                    : unchanged(
                            ChangeOutcome.Problem.CONFLICT,
                            "hash: the server has another definition of this tool by now. Look at it first.");
        } catch (IOException e) {
            LOG.warn("{}: its approvals can't be read or written: {}", seen.backend(), e.toString());
            return unchanged(
                    ChangeOutcome.Problem.UNAVAILABLE,
                    "The file with the approvals of " + seen.backend()
                            + " can't be read or written. The gateway's log says why.");
        }
    }

    private static ChangeOutcome unchanged(ChangeOutcome.Problem reason, String message) {
        return new ChangeOutcome.Unchanged(reason, message);
    }
}
