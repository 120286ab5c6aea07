package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.text.LineIndex;
import switchboard.backend.embedded.StoredDocumentsGiven;
import switchboard.call.CallContext;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.DocumentText;

/** {@code get}: one document, or lines of it. */
record GetTool(DocumentAddresses addresses) implements ToolHandler<GetTool.Args> {
    private static final int MAX_CHARS = 4_000_000;

    record Args(
            String file,
            @Nullable Integer fromLine,
            @Nullable Integer maxLines,
            boolean lineNumbers) {}

    @Override
    public String name() {
        return "get";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        LineRange range = LineRange.of(args.fromLine(), args.maxLines(), args.lineNumbers());
        return addresses
                .content(args.file(), context.caller())
                .compose(document -> addresses.read(document, context.caller()))
                .map(found -> reply(found, range, context));
    }

    private static ToolReply reply(DocumentText found, LineRange range, CallContext context) {
        LineIndex lines = new LineIndex(found.text());
        String text = range.of(lines);
        if (text.length() > MAX_CHARS) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "The document has " + lines.count() + " lines with "
                            + found.text().length()
                            + " characters; one answer holds " + MAX_CHARS
                            + ". Ask for parts with fromLine and maxLines.");
        }
        ObjectNode facts = DocumentView.facts(found.document()).put("totalLines", lines.count());
        ContentBlock described = new ContentBlock.TextBlock(Json.text(facts));
        return new ToolReply.Ok(
                        List.of(DocumentView.resource(found.document(), text), described), facts.put("text", text))
                .giving(context, () -> StoredDocumentsGiven.read(List.of(found.document())));
    }
}
