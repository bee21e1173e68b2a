package io.jellybridge.fuseki;

import java.util.Arrays;
import java.util.List;
import org.apache.jena.fuseki.auth.Auth;
import org.apache.jena.fuseki.auth.AuthPolicy;
import org.apache.jena.fuseki.server.DataAccessPoint;

/**
 * The access rights to the logs of a server. Readers may read. Writers may also create logs and append to them. The server
 * authenticates the users. Names are as in Fuseki's {@code allowedUsers}: {@code *} is any user who is logged in, {@code _} is
 * everybody.
 *
 * @param isNamed true if the server names readers or writers
 */
record LogAccess(AuthPolicy readers, AuthPolicy writers, boolean isNamed) {

    /**
     * Parses access rights. If both arguments are null, any user who is logged in may do both. If one is null, nobody has that
     * right.
     *
     * @param readers names separated by commas; null if not given
     * @param writers names separated by commas; null if not given
     */
    static LogAccess of(String readers, String writers) {
        boolean isNamed = readers != null || writers != null;
        AuthPolicy unsaid = isNamed ? Auth.DENY_ALL : Auth.ANY_USER;
        return new LogAccess(policyFor(readers, unsaid), policyFor(writers, unsaid), isNamed);
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

    /**
     * Returns whether the rights of a dataset leave a user those to its log. They count only where the server names nobody for logs.
     *
     * @param user    null if unknown
     * @param dataset null if the log is that of none
     */
    boolean mayUse(String user, DataAccessPoint dataset) {
        return isNamed || dataset == null || Auth.allow(user, dataset.getDataService().authPolicy());
    }
}
