package io.jellybridge.jena.riot;

import com.apicatalog.jsonld.JsonLdError;
import com.apicatalog.jsonld.JsonLdErrorCode;
import com.apicatalog.jsonld.JsonLdOptions;
import com.apicatalog.jsonld.JsonLdOptions.RdfDirection;
import java.util.function.Consumer;
import org.apache.jena.riot.lang.LangJSONLD11;
import org.apache.jena.sparql.util.Context;

/** Creates the settings of Jena's JSON-LD parser: for remote contexts and for base directions. */
final class JsonLdContext {
    /** The advice for a rejected context, a clause without a full stop. */
    static final String ADVICE = "if you trust the document and that place, allow it by remoteContexts, or put the "
            + "context into the document";
    private static final String DIRECTIONS = "https://www.w3.org/ns/i18n#";

    private JsonLdContext() {
    }

    /** Returns a clause without a full stop that says what was found for a rejected context. */
    static String describeFound(String address) {
        return "the context <" + address + ">, which would have to be loaded from there";
    }

    /**
     * Creates the settings for a parser. By default, the library drops base directions. It also loads each context that a
     * document names from the network, or from the reader's own files.
     *
     * @param refused receives the address of a rejected context, and may throw; null to load contexts
     */
    static Context of(Consumer<String> refused) {
        JsonLdOptions options = refused == null ? new JsonLdOptions() : new JsonLdOptions((address, how) -> {
            refused.accept(address.toString());
            throw new JsonLdError(JsonLdErrorCode.LOADING_REMOTE_CONTEXT_FAILED, "refused");
        });
        options.setRdfDirection(RdfDirection.I18N_DATATYPE);
        Context context = new Context();
        context.set(LangJSONLD11.JSONLD_OPTIONS, options);
        return context;
    }

    /**
     * Returns the datatype that JSON-LD has for a text with a direction and without a language, since RDF has no other term for
     * it.
     */
    static String datatypeOf(String direction) {
        return DIRECTIONS + "_" + direction;
    }
}
