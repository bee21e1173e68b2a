package io.jellybridge.http;

import static io.jellybridge.options.Option.ofText;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.options.Option;
import io.jellybridge.options.OptionValues;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The TLS certificates for a server: the trusted authorities and the client's own certificate. It holds the content of PEM
 * files, so it can go to a machine without these files.
 *
 * @param authority   the trusted certificates; null for those that Java trusts
 * @param certificate the client's certificate, followed by its chain; null for none
 * @param key         the private key of the certificate, in PKCS #8
 */
public record Tls(String authority, String certificate, String key) implements Serializable {
    /** Java's default: its trusted certificates, and no certificate of the client. */
    public static final Tls DEFAULT = new Tls(null, null, null);

    private static final Option<String> AUTHORITY = ofText("authority", "a PEM file", null,
            "certificates of who vouches for the server, where TLS is spoken; without, those that Java trusts");
    private static final Option<String> CERTIFICATE = ofText("certificate", "a PEM file", null,
            "the certificate that is shown to a server that asks for one; goes with `certificateKey`");
    private static final Option<String> KEY =
            ofText("certificateKey", "a PEM file", null, "the key of `certificate`, in PKCS #8 and not encrypted");
    static final List<Option<?>> OPTIONS = List.of(AUTHORITY, CERTIFICATE, KEY);

    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    /**
     * Reads the files that the options name.
     *
     * @throws IllegalArgumentException a file can't be read or is of another kind; the message names the option
     */
    static Tls of(OptionValues given) {
        if (given.has(CERTIFICATE) != given.has(KEY)) {
            throw new IllegalArgumentException("the options 'certificate' and 'certificateKey' go together: give both or none");
        }
        Tls tls = new Tls(readContent(given, AUTHORITY), readContent(given, CERTIFICATE), readContent(given, KEY));
        tls.context();
        return tls;
    }

    private static String readContent(OptionValues given, Option<String> option) {
        if (!given.has(option)) {
            return null;
        }
        String path = given.get(option);
        try {
            return Files.readString(Path.of(path), US_ASCII);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("the option '" + option.name() + "' names no file that can be read as text ("
                    + e.getClass().getSimpleName() + "); name a PEM file by its path");
        }
    }

    /**
     * Creates the SSL context for connections.
     *
     * @throws IllegalArgumentException a certificate or the key is invalid; the message names the option
     */
    public SSLContext context() {
        try {
            if (equals(DEFAULT)) {
                return SSLContext.getDefault();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(), trust(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("TLS is not to be had: " + e, e);
        }
    }

    private TrustManager[] trust() throws GeneralSecurityException, IOException {
        if (authority == null) {
            return null;
        }
        KeyStore trusted = empty();
        for (Certificate one : readCertificates(authority, AUTHORITY)) {
            trusted.setCertificateEntry(String.valueOf(trusted.size()), one);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private KeyManager[] keys() throws GeneralSecurityException, IOException {
        if (certificate == null) {
            return null;
        }
        KeyStore own = empty();
        Certificate[] chain = readCertificates(certificate, CERTIFICATE).toArray(Certificate[]::new);
        own.setKeyEntry("own", privateKey(), NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(own, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> readCertificates(String pem, Option<String> option)
            throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        Collection<? extends Certificate> found = List.of();
        try (InputStream in = new ByteArrayInputStream(pem.getBytes(US_ASCII))) {
            found = factory.generateCertificates(in);
        } catch (GeneralSecurityException | IOException e) {
            // Rejected below, like an empty file.
        }
        if (found.isEmpty()) {
            throw noTlsError(option, "with certificates (BEGIN CERTIFICATE)");
        }
        return found;
    }

    private PrivateKey privateKey() throws GeneralSecurityException {
        Matcher pem = PRIVATE_KEY.matcher(key);
        if (pem.find()) {
            PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
            for (String algorithm : ALGORITHMS) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(spec);
                } catch (InvalidKeySpecException e) {
                    // Try the next algorithm.
                }
            }
        }
        throw noTlsError(KEY, "with a key of RSA or of an elliptic curve in PKCS #8, not encrypted (BEGIN PRIVATE KEY)");
    }

    private static IllegalArgumentException noTlsError(Option<String> option, String what) {
        return new IllegalArgumentException("the option '" + option.name() + "' names no PEM file " + what);
    }

    /** Returns which of the three are set, without their content. */
    @Override
    public String toString() {
        return (authority == null ? "whom Java trusts" : "an authority of its own")
                + (certificate == null ? "" : ", with a certificate");
    }
}
