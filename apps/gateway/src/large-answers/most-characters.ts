/**
 * Characters of an answer that is collected before it is sent. More is refused, or sent in pieces. A file of its own,
 * because the threads of the compiler need it and load none of the server's modules.
 */
export const mostCharacters = 8 * 1024 * 1024;
