package io.jellybridge.jena.riot;

import com.apicatalog.jsonld.JsonLdError;
import com.apicatalog.jsonld.JsonLdErrorCode;
import com.apicatalog.jsonld.JsonLdOptions;
import com.apicatalog.jsonld.JsonLdOptions.RdfDirection;
import java.util.function.Consumer;
import org.apache.jena.riot.lang.LangJSONLD11;
import org.apache.jena.sparql.util.Context;

/** How Jena's parser of JSON-LD is told to read: contexts of other places, and base directions. */
final class JsonLdContext {
    /** What to do about a context that is refused, a clause without a full stop. */
    static final String ADVICE = "if you trust the document and that place, allow it by remoteContexts, or put the "
            + "context into the document";
    private static final String DIRECTIONS = "https://www.w3.org/ns/i18n#";

    private JsonLdContext() {
    }

    /** What is found where a context is refused, a clause without a full stop. */
    static String found(String address) {
        return "the context <" + address + ">, which would have to be loaded from there";
    }

    /**
     * Makes the settings for a parser. The library by itself leaves base directions out, and loads each context that a document
     * names from the network, or from the files of whoever reads it.
     *
     * @param refused told of the address of a context that is refused, and may throw; null: they are loaded
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

    /** Returns the datatype that JSON-LD has for a text with a direction and no language, for which RDF has no other term. */
    static String datatype(String direction) {
        return DIRECTIONS + "_" + direction;
    }
}
