/** Longest texts of clients: the schemas of the edge and of messages have the same, so that what one takes the other carries. */
export const textLengths = {
  /** Code points of a password, a passphrase, or the words of a mnemonic: 24 words of English have at most 215. */
  secret: 256,
  /** Code points. Names that no wallet can have are read up to here: they have an answer of their own (protocol 07 §3.1). */
  walletName: 1_024,
  /** Characters of an address: of a multisig lockup with 46 keys. */
  address: 2_048,
  /** Digits of any bytes: sixteen times the largest code (protocol 05), which is refused by name. */
  hex: 131_072,
} as const;
