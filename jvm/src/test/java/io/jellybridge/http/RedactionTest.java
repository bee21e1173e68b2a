package io.jellybridge.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "http://host:3030/ds                    | http://host:3030/ds",
        "http://me:secret@host/ds               | http://host/ds",
        "http://me:se/cr@e@t@host/ds            | http://host/ds",
        "HTTPS://me:secret@host/ds              | HTTPS://host/ds",
        "sparql:http://me:secret@host/log        | sparql:http://host/log",
        "sparql:http:me:secret@host/log          | sparql:http:host/log",
        "http:me:secret@host/ds                 | http:host/ds",
        "grpc:/me:secret@host/log               | grpc:/host/log",
        "grpcs:me:secret@host/log               | grpcs:host/log",
        "grpcs:me:secret                        | grpcs:me:…",
        "ftp://me:secret@host/ds                | ftp://host/ds",
        "/here/http:/me:secret@host/ds          | /here/http:/host/ds",
        "tdb2:folder@home                       | tdb2:folder@home",
        "/logs/a@home                           | /logs/a@home",
        "http://[::1]:3030/ds                   | http://[::1]:3030/ds",
        "file://me:secret@host/ds               | file://host/ds",
        "file:///logs/a                         | file:///logs/a",
        "http://me:secret%40host/ds             | http://host/ds",
        "http://me:secret                       | http://me:…",
        "http://me:secret/ds                    | http://me:…/ds",
        "/here/http:/me:secret/ds               | /here/http:/me:…/ds",
    })
    void anAddressLosesWhoAsks(String address, String shown) {
        assertEquals(shown, Redaction.redactAddress(address));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "see http://me:secret@host/ds, and http://host/ | see http://host/ds, and http://host/",
        "<http://e.org/s> \"http://e.org/o\"@en         | <http://e.org/s> \"http://e.org/o\"@en",
        "<http://e.org/s>,<mailto:me@e.org>             | <http://e.org/s>,<mailto:me@e.org>",
    })
    void aTextKeepsItsTerms(String text, String shown) {
        assertEquals(shown, Redaction.redactText(text));
    }

    /** A title of the window, colours, lines that a terminal takes for its own: a server's text is shown, and does nothing. */
    @Test
    void whatSteersATerminalIsEscaped() {
        assertEquals("\\u001B[2J\\u001B]0;x\\u0007 a\tb\nc\\u000Dd \\u009B31m \\u0000\\u007F \\u202Eevil\\u2066 ü😀",
                Redaction.toPrintable("\033[2J\033]0;x\007 a\tb\nc\rd \u009B31m \0\177 \u202Eevil\u2066 ü😀"));
    }
}
