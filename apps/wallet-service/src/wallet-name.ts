const nameForm = /^[a-zA-Z0-9_-]*$/;
/** Longer ones cannot be created (protocol 07 §3.1: a name that cannot be written). */
export const longestName = 128;

/** A name of another form is never looked up, so that no name is ever used as a path or a statement. */
export const isWalletName = (name: string): boolean => nameForm.test(name) && name.length <= longestName;

/** Valid names of new wallets: the empty one has the right form, but is not valid (protocol 07 §3.1). */
export const canBeCreated = (name: string): boolean => name !== '' && isWalletName(name);

/** A name for a wallet restored without one, from 4 random bytes: `wallet-` and 8 lower-case hexadecimal digits. */
export const generatedName = (random: Uint8Array): string => `wallet-${Buffer.from(random).toString('hex')}`;
