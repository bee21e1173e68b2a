package io.jellybridge.fuseki;

import org.apache.jena.fuseki.servlets.HttpAction;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraphWrapper;

/** A view of a request's dataset whose transactions are those of the request, so that Fuseki counts and ends them. */
final class ActionDataset extends DatasetGraphWrapper {
    private final HttpAction action;

    ActionDataset(HttpAction action) {
        super(action.getDataset());
        this.action = action;
    }

    @Override
    public void begin(TxnType type) {
        action.begin(type);
    }

    @Override
    public void commit() {
        action.commit();
    }

    @Override
    public void abort() {
        action.abort();
    }

    @Override
    public void end() {
        action.end();
    }
}
