const nameForm = /^[a-zA-Z0-9_-]*$/;
/** Longer ones cannot be created (protocol 07 §3.1: a name that cannot be written). */
export const longestName = 128;

/** A name of another form is never looked for, so that no name is ever taken for a path or a statement. */
export const isWalletName = (name: string): boolean => nameForm.test(name) && name.length <= longestName;

/** Names that a wallet can get: the empty one is of the right form, but none (protocol 07 §3.1). */
export const canBeCreated = (name: string): boolean => name !== '' && isWalletName(name);

/** A name for a wallet restored without one, from 4 random bytes: `wallet-` and 8 lower-case hexadecimal digits. */
export const generatedName = (random: Uint8Array): string => `wallet-${Buffer.from(random).toString('hex')}`;
