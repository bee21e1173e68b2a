package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.jena.fuseki.server.DataAccessPointRegistry;

/**
 * Shows the datasets that are recorded or follow a log: as a page for a browser, and otherwise as JSON. A second path has only
 * whether all followers go on, by the status 200 or 503, for everybody.
 */
final class StatusServlet extends HttpServlet {
    /** The path of the page, and of the JSON. */
    static final String PATH = "/$/patch-logs";
    /** The path for load balancers and monitors. */
    static final String HEALTH = PATH + "/health";

    private static final long serialVersionUID = 1L;
    private static final String PAGE = "patch-logs.html";
    private static final String LAG = "lag";
    private static final String HTML = "text/html";

    private final transient LogAccess access;
    private final transient PageOrigins origins;

    StatusServlet(LogAccess access, PageOrigins origins) {
        this.access = access;
        this.origins = origins;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        if (request.getServletPath().equals(HEALTH)) {
            answerHealth(request, listAll()).sendTo(response);
            return;
        }
        try {
            sendStates(request, response);
        } catch (RefusedException e) {
            e.answer().sendTo(response);
        }
    }

    /**
     * Sends the page, or the states. Links of other sites may lead to the page, which has no state in it.
     *
     * @throws RefusedException a page of another site asks for the states
     */
    private void sendStates(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean isPage = String.valueOf(request.getHeader("Accept")).contains(HTML);
        if (!isPage) {
            origins.checkOrigin(request);
        }
        String user = request.getRemoteUser();
        if (access.mayRead(user)) {
            response.setHeader("Vary", "Accept");
            if (isPage) {
                sendPage(response);
            } else {
                statesAnswer(listFor(user)).sendTo(response);
            }
        } else if (user != null || isOpen(request, response)) {
            Answer.errorAnswer(403, "access", "you may not read the patch logs of this server; its property " + LogServlets.READERS
                    + " names those who may").sendTo(response);
        }
    }

    private List<DatasetStatus> listAll() {
        return DatasetStatus.listAll(DataAccessPointRegistry.get(getServletContext()));
    }

    /** Returns the states that a reader of logs may see. */
    private List<DatasetStatus> listFor(String user) {
        DataAccessPointRegistry services = DataAccessPointRegistry.get(getServletContext());
        return listAll().stream().filter(dataset -> access.mayUse(user, services.get(dataset.name()))).toList();
    }

    private static Answer statesAnswer(List<DatasetStatus> datasets) throws IOException {
        JsonArray states = new JsonArray();
        for (DatasetStatus dataset : datasets) {
            states.add(dataset.json());
        }
        JsonObject json = new JsonObject();
        json.addProperty("healthy", datasets.stream().allMatch(DatasetStatus::isHealthy));
        json.add("datasets", states);
        return new Answer(200, json);
    }

    /** Answers 503 if a follower or a recording has stopped, or a follower is behind by more than the seconds of the parameter {@code lag}. */
    private static Answer answerHealth(HttpServletRequest request, List<DatasetStatus> datasets) throws IOException {
        double longest;
        try {
            Map<String, String> parameters = QueryString.parseQuery(request.getQueryString());
            QueryString.requireAmong(parameters, Set.of(LAG));
            longest = Double.parseDouble(parameters.getOrDefault(LAG, "Infinity"));
        } catch (NumberFormatException e) {
            return Answer.badRequest("the parameter lag is no number of seconds");
        } catch (IllegalArgumentException e) {
            return Answer.badRequest(e.getMessage());
        }
        boolean isHealthy = true;
        for (DatasetStatus dataset : datasets) {
            isHealthy &= dataset.isWithin(longest);
        }
        JsonObject health = new JsonObject();
        health.addProperty("healthy", isHealthy);
        return new Answer(isHealthy ? 200 : 503, health);
    }

    /** Returns whether the server authenticates nobody. Otherwise, this sends a request to log in. */
    private static boolean isOpen(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            request.authenticate(response);
            return false;
        } catch (ServletException e) {
            return true;
        }
    }

    private static void sendPage(HttpServletResponse response) throws IOException {
        try (InputStream page = StatusServlet.class.getResourceAsStream(PAGE)) {
            byte[] bytes = page.readAllBytes();
            response.setContentType(HTML);
            response.setCharacterEncoding(UTF_8.name());
            response.setHeader("Content-Security-Policy", "default-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }
}
