package switchboard.protocol;

import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;

/**
 * What the protocol works with, the same for both eras.
 *
 * @param settings names and bounds
 * @param views the tools by URL
 * @param providers who has resources and prompts
 * @param policy who may do what
 * @param budget how much they may do
 * @param redactor what may pass
 * @param outbound the way to the backends
 * @param changes who wants to hear of changed lists
 * @param observer hears of every request
 */
public record ProtocolServices(
        ProtocolSettings settings,
        Views views,
        Providers providers,
        AccessPolicy policy,
        Budget budget,
        Redactor redactor,
        Outbound outbound,
        ChangeHub changes,
        OperationObserver observer) {}
