package switchboard.protocol;

import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.call.Tracing;
import switchboard.federation.AnswerFitter;

/**
 * What the protocol works with, the same for both eras.
 *
 * @param settings names and bounds
 * @param views the tools by URL
 * @param providers who has resources and prompts
 * @param policy who may do what
 * @param budget how much they may do
 * @param redactor what may pass
 * @param answers makes answers fit
 * @param outbound the way to the backends
 * @param changes who wants to hear of changed lists
 * @param observer hears of every request
 * @param tracing is told where their time goes
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
        Tracing tracing) {}
