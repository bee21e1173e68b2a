package io.jellybridge.jena.riot;

import com.apicatalog.jsonld.JsonLdError;
import com.apicatalog.jsonld.JsonLdErrorCode;
import com.apicatalog.jsonld.JsonLdOptions;
import java.util.function.Consumer;
import org.apache.jena.riot.lang.LangJSONLD11;
import org.apache.jena.sparql.util.Context;

/**
 * The contexts that a JSON-LD document names, and does not hold. The library would load each from the network, or from the
 * files of whoever reads the document.
 */
final class RemoteContexts {
    /** What to do about a refused one, a clause without a full stop. */
    static final String ADVICE = "if you trust the document and that place, allow it by remoteContexts, or put the "
            + "context into the document";

    private RemoteContexts() {
    }

    /** What is refused, a clause without a full stop. */
    static String found(String address) {
        return "the context <" + address + ">, which would have to be loaded from there";
    }

    /**
     * Refuses them for what is parsed with this context of Jena's.
     *
     * @param refused told of the address of the one that is refused; may throw
     */
    static void refuse(Context jena, Consumer<String> refused) {
        JsonLdOptions options = new JsonLdOptions((address, how) -> {
            refused.accept(address.toString());
            throw new JsonLdError(JsonLdErrorCode.LOADING_REMOTE_CONTEXT_FAILED, "refused");
        });
        jena.set(LangJSONLD11.JSONLD_OPTIONS, options);
    }
}
