/** The one table of gas and amount numbers (protocol 01 §10, §17; 02 §1, §2.1). Names as in the documents. */

// Amounts in attoCoin.
export const oneCoin = 10n ** 18n;
/** Exclusive upper bound of a gas price; inclusive upper bound of sums in builders. */
export const maxCoinValue = 10n ** 27n;
/** Least coin of any output, exact coin of an asset output that carries a token. */
export const dustAmount = 10n ** 15n;
/** Least coin of a contract output. */
export const minimalContractDeposit = 10n ** 18n;
/** Of every transaction but the coinbase; also the default of builders. */
export const minGasPrice = 10n ** 11n;
/** Of the coinbase, exactly. */
export const coinbaseGasPrice = 10n ** 9n;

// Gas.
/** Also the coinbase's exact gas amount. */
export const minimalGas = 20_000;
export const maximalGasPerTx = 625_000;
export const maximalGasPerBlock = 40_000_000;
/** The fee the coinbase is credited with, attoCoin. */
export const coinbaseGasSubsidy = coinbaseGasPrice * BigInt(minimalGas);
export const txBaseGas = 1_000;
/** Per input of the unsigned transaction, and per contract input that a script loads. */
export const txInputBaseGas = 2_000;
/** Per fixed output, and per output that a script generates. */
export const txOutputBaseGas = 4_500;
/** Base of the gas of a script; its serialized length in bytes comes on top. */
export const scriptBaseGas = 200;
/** Gas of hashing `length` bytes (protocol 02 §2.1). */
export const gasOfHashing = (length: number): number => 30 + 6 * Math.ceil(length / 8);
/** One signature check of a 33-byte public key. */
export const p2pkUnlockGas = 2_000 + gasOfHashing(33);

// Counts and sizes.
export const txVersion = 0;
export const blockVersion = 0;
/** Inputs and contract inputs together. */
export const maxInputs = 256;
/** Fixed and generated outputs together. */
export const maxOutputs = 256;
/** Bytes of additional data of one asset output. */
export const maxOutputDataSize = 256;
export const maxScriptSignatures = 32;
/** Keys in a multisig lockup script of an output. */
export const maxMultisigKeys = 16;
export const maxTokensPerAssetOutput = 1;
export const maxTokensPerContractOutput = 8;
/** Bytes of a serialized script or contract code. */
export const maxCodeSize = 4_096;
/** The coinbase included. */
export const maximalTxsInOneBlock = 2_000;

// Lengths in bytes.
export const nonceLength = 24;
export const signatureLength = 64;
