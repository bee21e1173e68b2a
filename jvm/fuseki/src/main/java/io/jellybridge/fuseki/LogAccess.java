package io.jellybridge.fuseki;

import java.util.Arrays;
import java.util.List;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.auth.AuthPolicy;

/**
 * Who may read the logs of a server, and who may make and append to them, which includes reading. Users are those that the
 * server authenticates, named as in Fuseki's {@code allowedUsers}: {@code *} is whoever is logged in, {@code _} is
 * everybody.
 */
record LogAccess(AuthPolicy readers, AuthPolicy writers) {

    /**
     * @param readers names with commas between them; null: not said. Where neither is said, whoever is logged in may do
     *                both; where one is, nobody has the right of the other
     * @param writers likewise
     */
    static LogAccess of(String readers, String writers) {
        AuthPolicy unsaid = readers == null && writers == null ? Auth.ANY_USER : Auth.DENY_ALL;
        return new LogAccess(policy(readers, unsaid), policy(writers, unsaid));
    }

    private static AuthPolicy policy(String users, AuthPolicy unsaid) {
        if (users == null) {
            return unsaid;
        }
        List<String> names = Arrays.stream(users.split(",")).map(String::strip).filter(name -> !name.isEmpty()).toList();
        return Auth.policyAllowSpecific(names);
    }

    /** @param user null: nobody that is known */
    boolean mayRead(String user) {
        return readers.isAllowed(user) || mayWrite(user);
    }

    /** @param user null: nobody that is known */
    boolean mayWrite(String user) {
        return writers.isAllowed(user);
    }
}
