package io.jellybridge.jena.data;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.jena.query.ARQ;
import org.apache.jena.query.Query;
import org.apache.jena.query.QueryCancelledException;
import org.apache.jena.query.QueryFactory;
import org.apache.jena.query.QueryParseException;
import org.apache.jena.query.Syntax;
import org.apache.jena.sparql.algebra.Algebra;
import org.apache.jena.sparql.algebra.Op;
import org.apache.jena.sparql.algebra.OpVisitorBase;
import org.apache.jena.sparql.algebra.op.OpGroup;
import org.apache.jena.sparql.algebra.op.OpOrder;
import org.apache.jena.sparql.algebra.op.OpService;
import org.apache.jena.sparql.algebra.walker.Walker;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.exec.QueryExec;
import org.apache.jena.sparql.exec.QueryExecBuilder;
import org.apache.jena.sparql.exec.UpdateExec;
import org.apache.jena.sparql.exec.UpdateExecBuilder;
import org.apache.jena.sparql.expr.ExprVisitorBase;
import org.apache.jena.sparql.modify.request.UpdateLoad;
import org.apache.jena.sparql.modify.request.UpdateModify;
import org.apache.jena.update.Update;
import org.apache.jena.update.UpdateFactory;
import org.apache.jena.update.UpdateRequest;

/**
 * The limits of a SPARQL query or update: its access to resources outside of the dataset, and its time. {@code LOAD} reads the
 * resource of its IRI with the rights of the process that runs it: a file ({@code file:}, {@code jar:}, a relative IRI) or an
 * address of its network. {@code SERVICE} can access any such address. Both are rejected before anything is done, unless the
 * caller allows them, and even with {@code SILENT}.
 *
 * @param load    true if an update may have {@code LOAD}
 * @param service true if {@code SERVICE} may run in this process
 * @param timeout the time limit; null for none
 */
public record SparqlLimits(boolean load, boolean service, Duration timeout) {
    /** The default: nothing outside of the dataset, no time limit. */
    public static final SparqlLimits DEFAULT = new SparqlLimits(false, false, null);

    private static final String RIGHTS = " with the rights of the process that runs it; allow it by ";

    /**
     * Creates the limits for a caller in Python.
     *
     * @param seconds the time limit; 0 for none
     */
    public static SparqlLimits of(boolean load, boolean service, double seconds) {
        Duration timeout = seconds == 0 ? null : Duration.ofMillis(Math.max(1, Math.round(seconds * 1000)));
        return new SparqlLimits(load, service, timeout);
    }

    /**
     * Parses an update.
     *
     * @throws QueryParseException it is not SPARQL; the message gives the position
     * @throws IllegalArgumentException it has {@code LOAD}, which is not allowed
     */
    public UpdateRequest update(String sparql) {
        UpdateRequest request = UpdateFactory.create(sparql, Syntax.syntaxARQ);
        for (Update operation : request) {
            if (operation instanceof UpdateLoad refused && !load) {
                throw new IllegalArgumentException("LOAD <" + refused.getSource() + ">, which reads files and addresses" + RIGHTS
                        + "update(..., load=True), or load a file by Dataset.load; nothing of the update was run");
            }
        }
        return request;
    }

    /** Returns the prefixes that a query declares. */
    public static Map<String, String> declaredPrefixes(String sparql) {
        return QueryFactory.create(sparql, Syntax.syntaxARQ).getPrefixMapping().getNsPrefixMap();
    }

    // --- in this process

    /**
     * Runs a query, and returns its result as JSON. The caller has a transaction.
     *
     * @throws QueryParseException it is not SPARQL; the message gives the position
     * @throws IllegalArgumentException it has {@code SERVICE}, which is not allowed
     * @throws IOException it exceeded the time limit
     */
    public String runQuery(DatasetGraph dataset, String sparql) throws IOException {
        Query query = QueryFactory.create(sparql, Syntax.syntaxARQ);
        checkService(Algebra.compile(query), "query");
        QueryExecBuilder execution = QueryExec.dataset(dataset).query(query).set(ARQ.httpServiceAllowed, service);
        if (timeout != null) {
            execution.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
        try (QueryExec running = execution.build()) {
            return QueryJson.of(query, running);
        } catch (QueryCancelledException e) {
            throw timeoutException("the query was not done", e);
        }
    }

    /**
     * Runs an update. The caller has a transaction, and rolls it back after an exception.
     *
     * @throws IllegalArgumentException it has {@code SERVICE}, which is not allowed
     * @throws IOException it exceeded the time limit
     */
    public void update(DatasetGraph dataset, UpdateRequest request) throws IOException {
        for (Update operation : request) {
            if (operation instanceof UpdateModify modify) {
                checkService(Algebra.compile(modify.getWherePattern()), "update");
            }
        }
        UpdateExecBuilder execution = UpdateExec.dataset(dataset).update(request).set(ARQ.httpServiceAllowed, service);
        if (timeout != null) {
            execution.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        }
        try {
            execution.execute();
        } catch (QueryCancelledException e) {
            throw timeoutException("the update was not done", e);
        }
    }

    private void checkService(Op algebra, String call) {
        if (service) {
            return;
        }
        ExprVisitorBase expressions = new ExprVisitorBase();
        OpVisitorBase refusing = new OpVisitorBase() {
            // The walker leaves out the expressions of these two.
            @Override
            public void visit(OpOrder order) {
                order.getConditions().forEach(key -> Walker.walk(key.getExpression(), this, expressions));
            }

            @Override
            public void visit(OpGroup group) {
                group.getAggregators().stream().map(found -> found.getAggregator().getExprList()).filter(Objects::nonNull)
                        .forEach(list -> Walker.walk(list, this, expressions));
            }

            @Override
            public void visit(OpService asked) {
                String address = asked.getService().isURI() ? "<" + asked.getService().getURI() + ">"
                        : asked.getService().toString();
                throw new IllegalArgumentException("SERVICE " + address + ", which asks other servers" + RIGHTS + call
                        + "(..., service=True); nothing of the " + call + " was run");
            }
        };
        Walker.walk(algebra, refusing, expressions);
    }

    private IOException timeoutException(String what, QueryCancelledException cause) {
        return new IOException(what + " within " + timeout.toMillis() / 1000.0 + " s, and was cancelled; ask for less, or "
                + "give it more time", cause);
    }
}
