package switchboard.protocol;

import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.call.Tracing;
import switchboard.federation.AnswerFitter;
import switchboard.task.TaskStore;

/**
 * The services of the protocol, the same for both eras.
 *
 * @param settings names and limits
 * @param views the tools by URL
 * @param providers which backends have resources and prompts
 * @param policy decides who may do what
 * @param budget limits of teams and keys
 * @param redactor removes private data
 * @param answers makes answers fit
 * @param outbound sends calls to backends
 * @param changes streams of change notifications
 * @param observer notified of every request
 * @param tracing makes spans
 * @param tasks work that goes on after its request was answered
 */
public record ProtocolServices(
        ProtocolSettings settings,
        Views views,
        BackendCapabilities providers,
        AccessPolicy policy,
        Budget budget,
        Redactor redactor,
        AnswerFitter answers,
        BackendCaller outbound,
        ChangeHub changes,
        OperationObserver observer,
        Tracing tracing,
        TaskStore tasks) {}
