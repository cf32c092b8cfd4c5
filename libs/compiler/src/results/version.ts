/**
 * Release version text of results (protocol 06 §10.2), that of the API of document 07. Tools compile again when it changes.
 */
export const releaseVersion = 'v2.14.9';
