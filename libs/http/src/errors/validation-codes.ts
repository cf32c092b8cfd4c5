import { type PoolRefusalName, type TransactionRefusalName } from '@shardnode/protocol/validation';
import { type ErrorRow } from './error-row.js';

const refused = (meaning: string, more: Pick<ErrorRow, 'fields' | 'next'> = {}): ErrorRow => ({
  kind: 'refused',
  meaning,
  ...more,
});

/** The call that builds a new transaction. */
const build = {
  wallets: 'GET /wallets/{wallet_name}/balances',
  multisig: 'POST /multisig/build',
  otherwise: 'POST /transactions/build',
} as const;
/** The call that shows inputs, outputs and the id that is signed. */
const decode = 'POST /transactions/decode-unsigned-tx';

const transaction = { fields: ['unsignedTx'] } as const;
const rebuilt = { ...transaction, next: build } as const;
const inspected = { ...transaction, next: decode } as const;
const signatures = { fields: ['signature', 'signatures'], next: decode } as const;
const spender = { ...transaction, next: 'GET /transactions/status?txId={conflictingTxId}' } as const;
const contract = { ...transaction, next: 'GET /contracts/{failedContract}/state' } as const;

/**
 * Names of the rules except the one in the table of building, of the mempool, of bytes, and of code that is the reason of
 * another refusal.
 */
type Name = Exclude<TransactionRefusalName, 'TooManyInputs'> | PoolRefusalName | 'CodeSizeTooLarge' | 'Undecodable';

/** Reasons why a submitted transaction is refused (protocol 07, appendix C), or left the mempool unmined. */
export const validationCodes = {
  InvalidTxVersion: refused('the version is not 0', rebuilt),
  InvalidNetworkId: refused('the transaction is for another network', {
    ...transaction,
    next: 'GET /infos/chain-params',
  }),
  NoOutputs: refused('there is no output', rebuilt),
  TooManyOutputs: refused('there are more than 256 outputs', { fields: ['destinations', 'unsignedTx'] }),
  InvalidStartGas: refused('the gas amount is out of bounds', rebuilt),
  InvalidGasPrice: refused('the gas price is out of bounds', rebuilt),
  InvalidOutputStats: refused('an output is below the dust amount, or has too many or empty tokens', rebuilt),
  InvalidInputGroupIndex: refused('the inputs are not all of the group that is asked', inspected),
  InvalidOutputGroupIndex: refused('the outputs are of more than two groups', inspected),
  TxDoubleSpending: refused('an output is spent twice by the transaction itself', rebuilt),
  DoubleSpending: refused(
    'another pending or mined transaction, `X-Conflicting-Transaction`, spends an output that this one spends',
    spender,
  ),
  NonExistInput: refused(
    'an input does not exist, or is spent by the transaction in `X-Conflicting-Transaction`',
    spender,
  ),
  TimeLockedTx: refused('an input cannot be spent yet: `X-Spendable-At` says when', {
    ...transaction,
    next: 'GET /addresses/{address}/utxos',
  }),
  TooManyKeysInMultisig: refused('an output goes to an address of too many keys', transaction),
  OutputDataSizeExceeded: refused('the message of an output is longer than 256 bytes', {
    fields: ['destinations', 'unsignedTx'],
  }),
  InvalidCoinBalance: refused('coins of inputs differ from outputs and fee', rebuilt),
  InvalidTokenBalance: refused('tokens of inputs and outputs differ', rebuilt),
  BalanceOverFlow: refused('a sum of amounts is above 2^256 - 1', rebuilt),
  InvalidPublicKeyHash: refused('the public key of an input is not that of the address', inspected),
  InvalidScriptHash: refused('the script of an input is not that of the address', inspected),
  InvalidUnlockScriptType: refused('an input is unlocked in another way than its address wants', inspected),
  InvalidNumberOfPublicKey: refused('a multisig input does not have exactly m keys', inspected),
  InvalidP2mpkhUnlockScript: refused('keys of a multisig input are repeated, or out of order', inspected),
  InvalidSignature: refused('a signature does not fit transaction and key, or is in the wrong place', signatures),
  NotEnoughSignature: refused('there are fewer signatures than keys that sign', {
    ...signatures,
    next: 'POST /multisig/submit',
  }),
  TooManyInputSignatures: refused('there are more signatures than keys that sign', signatures),
  TooManyScriptSignatures: refused('there are more signatures for the script than it may take', signatures),
  UnexpectedScriptSignatures: refused('there are signatures for a script, but no script', signatures),
  OutOfGas: refused('the gas amount does not cover what the transaction does', rebuilt),
  CodeSizeTooLarge: refused('a script is too large', transaction),
  UnlockScriptExeFailed: refused('the script that unlocks an input fails: `X-Failure` names how', contract),
  TxScriptExeFailed: refused('the script of the transaction fails: `X-Failure` names how', contract),
  ExecutionAborted: refused('a script ends in a way that the protocol gives no result', transaction),
  UnexpectedTxScript: refused('a transaction between groups has no script', transaction),
  UsingBreakingInstrs: refused('the script uses an instruction that is not active', transaction),
  InvalidScriptExecutionFlag: refused('the flag of the script tells another outcome than its run', transaction),
  ContractInputForInterGroupTx: refused('a transaction between groups spends nothing of contracts', transaction),
  GeneratedOutputForInterGroupTx: refused('a transaction between groups generates no outputs', transaction),
  InvalidContractInputs: refused('the inputs of contracts are not those that the run takes', transaction),
  InvalidGeneratedOutputs: refused('the generated outputs are not those of the run', transaction),
  InvalidRemainingBalancesForFailedScriptTx: refused(
    'the inputs do not cover the fee of a transaction whose script fails',
    rebuilt,
  ),
  Undecodable: refused('the bytes cannot be decoded', transaction),
  Expired: refused('it was not mined within two hours and left the mempool; only in the reason of a status'),
} as const satisfies Record<Name, ErrorRow>;
