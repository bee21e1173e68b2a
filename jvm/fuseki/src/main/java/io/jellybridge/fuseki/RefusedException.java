package io.jellybridge.fuseki;

/** A request that is answered before a patch was looked at. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    RefusedException(Answer answer) {
        super(answer.toString(), null, false, false);
        this.answer = answer;
    }

    Answer answer() {
        return answer;
    }
}
