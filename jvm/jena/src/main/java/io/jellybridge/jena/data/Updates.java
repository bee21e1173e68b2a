package io.jellybridge.jena.data;

import org.apache.jena.query.QueryParseException;
import org.apache.jena.query.Syntax;
import org.apache.jena.sparql.modify.request.UpdateLoad;
import org.apache.jena.update.Update;
import org.apache.jena.update.UpdateFactory;
import org.apache.jena.update.UpdateRequest;

/**
 * SPARQL updates before they are run. {@code LOAD} is the one operation that reads something outside of the dataset: what
 * its IRI names, with the rights of the process that runs it, be it a file ({@code file:}, {@code jar:}, a relative IRI) or
 * an address of its network. So it is run only for those who ask for it.
 */
public final class Updates {

    private Updates() {
    }

    /**
     * Parses an update.
     *
     * @param load whether it may have {@code LOAD}
     * @throws QueryParseException      it is not SPARQL; the message says where
     * @throws IllegalArgumentException it has {@code LOAD}, and may not
     */
    public static UpdateRequest parse(String sparql, boolean load) {
        UpdateRequest request = UpdateFactory.create(sparql, Syntax.syntaxARQ);
        for (Update operation : request) {
            if (operation instanceof UpdateLoad refused && !load) {
                throw new IllegalArgumentException("LOAD <" + refused.getSource() + ">, which reads files and addresses with "
                        + "the rights of the process that runs the update; allow it with update(..., load=True), or load a "
                        + "file by Dataset.load; nothing of the update was run");
            }
        }
        return request;
    }
}
