package switchboard.backend.agentroot;

import switchboard.store.Namespace;

/** The document that a change is about; changes of one document take turns. */
record DocumentWriteKey(Namespace namespace, String path) {}
