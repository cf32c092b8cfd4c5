/** Headers for the data of an error: the documented bodies have no field for it (protocol 07 §1.9). */
export const errorHeaders = {
  code: { name: 'X-Error-Code', meaning: 'the stable name of the error' },
  field: { name: 'X-Error-Field', meaning: 'the field, parameter or header that is wrong; of several, the first' },
  next: { name: 'X-Error-Next', meaning: 'the call that helps: method and path' },
  conflictingTxId: { name: 'X-Conflicting-Transaction', meaning: 'id of the transaction that spends the output' },
  spendableAt: { name: 'X-Spendable-At', meaning: 'when the coins can be spent, in milliseconds since 1970' },
  failure: { name: 'X-Failure', meaning: 'the name of the failure of a script or contract' },
  failedContract: {
    name: 'X-Failed-Contract',
    meaning: 'address of the contract that failed; absent: the script itself',
  },
  failedInstruction: {
    name: 'X-Failed-Instruction',
    meaning: 'which instruction failed: its name, its method and its place in it, both from 0',
  },
  assertionCode: { name: 'X-Assertion-Code', meaning: 'the error code of the assertion that failed' },
  failedFunction: {
    name: 'X-Failed-Function',
    meaning: 'the contract and function that failed; absent where this node did not compile the contract lately',
  },
  assertionName: {
    name: 'X-Assertion-Name',
    meaning: 'the values of enums of that contract that are the error code, of several with commas between',
  },
  contractGroup: {
    name: 'X-Contract-Group',
    meaning: 'the group of a contract that is not found because the request or the run is of another group',
  },
  signatureAdvice: {
    name: 'X-Signature-Advice',
    meaning: 'what is wrong with a signature and what helps; of a refused transaction, where that can be known',
  },
  walletAdvice: {
    name: 'X-Wallet-Advice',
    meaning: 'the address of the wallet that cannot pay, and those that could in its place',
  },
  sweepAdvice: {
    name: 'X-Sweep-Advice',
    meaning: 'why a sweep that was built leaves outputs at the address, or has none to take',
  },
  retryAfterSeconds: { name: 'Retry-After', meaning: 'seconds to wait before asking again; each 429 and 503 has it' },
} as const;

export type ErrorHeaderKey = keyof typeof errorHeaders;

/** A header holds visible ASCII only; other characters would make the response invalid. */
const headerText = (value: unknown): string => String(value).replaceAll(/[^\x20-\x7e]/g, '?');

/** The headers for an error's data, code and field; other fields of `said` are ignored. */
export const headersOf = (said: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errorHeaders).flatMap(([key, { name }]) => {
      const value = said[key];
      return value === undefined || value === '' ? [] : [[name.toLowerCase(), headerText(value)]];
    }),
  );
