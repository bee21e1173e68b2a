package io.jellybridge.fuseki;

/** Thrown to reject a request before its patches are read. */
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
