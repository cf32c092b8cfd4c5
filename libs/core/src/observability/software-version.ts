/** Version of this program, as its packages have it. */
export const softwareVersion = '0.1.0';
