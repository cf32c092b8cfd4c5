/** Version of this program, as in its packages. */
export const softwareVersion = '0.1.0';
