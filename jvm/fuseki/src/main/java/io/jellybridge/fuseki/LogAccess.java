package io.jellybridge.fuseki;

import java.util.Arrays;
import java.util.List;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.auth.AuthPolicy;

/**
 * The access rights to the logs of a server. Readers may read. Writers may also create logs and append to them. The server
 * authenticates the users. Names are as in Fuseki's {@code allowedUsers}: {@code *} is any user who is logged in, {@code _} is
 * everybody.
 */
record LogAccess(AuthPolicy readers, AuthPolicy writers) {

    /**
     * Parses access rights. If both arguments are null, any user who is logged in may do both. If one is null, nobody has that
     * right.
     *
     * @param readers names separated by commas; null if not given
     * @param writers names separated by commas; null if not given
     */
    static LogAccess of(String readers, String writers) {
        AuthPolicy unsaid = readers == null && writers == null ? Auth.ANY_USER : Auth.DENY_ALL;
        return new LogAccess(policyFor(readers, unsaid), policyFor(writers, unsaid));
    }

    private static AuthPolicy policyFor(String users, AuthPolicy unsaid) {
        if (users == null) {
            return unsaid;
        }
        List<String> names = Arrays.stream(users.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
        return Auth.policyAllowSpecific(names);
    }

    /**
     * Returns whether a user may read.
     *
     * @param user null if unknown
     */
    boolean mayRead(String user) {
        return readers.isAllowed(user) || mayWrite(user);
    }

    /**
     * Returns whether a user may create logs and append.
     *
     * @param user null if unknown
     */
    boolean mayWrite(String user) {
        return writers.isAllowed(user);
    }
}
