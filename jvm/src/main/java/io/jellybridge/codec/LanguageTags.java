package io.jellybridge.codec;

/** Which characters a language tag may hold; more than BCP 47 allows, since real data has tags such as {@code en_US}. */
final class LanguageTags {

    private LanguageTags() {
    }

    static boolean isTagCharacter(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_';
    }
}
