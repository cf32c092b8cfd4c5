import { type ErrorCode } from '@shardnode/http';
import { doubleSpendingTransaction, queueFull, refusedTransaction } from '@shardnode/messages';
import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { bytesToHex, decode, encode } from '@shardnode/protocol/encoding';
import { transactionTemplateCodec, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { type Refusal, refusalText } from '@shardnode/protocol/validation';
import { refusedTransactions, type RefusedTransaction } from '@shardnode/testing/refused-transactions';
import { type Call, type ErrorCase } from './error-case.js';

const other = 'cd'.repeat(32);
const [signed] = refusedTransactions().filter(({ code }) => code === 'InvalidSignature') as [RefusedTransaction];
const hexOf = ({ template }: RefusedTransaction): string => bytesToHex(encode(transactionTemplateCodec, template));

/** One signature, or several by the call for them. */
const submitted = ({ template }: RefusedTransaction): Call => {
  const unsignedTx = bytesToHex(encode(unsignedTransactionCodec, template.unsigned));
  const signatures = template.inputSignatures.map(bytesToHex);
  return signatures.length === 1
    ? ['POST', '/transactions/submit', { unsignedTx, signature: signatures[0] }]
    : ['POST', '/multisig/submit', { unsignedTx, signatures }];
};

/** In the placeholders' place, the names of the coin. */
const named = (text: string): string => text.replaceAll('{COIN}', 'COIN').replaceAll('{Coin}', 'Coin');

const isMultisig = ({ template }: RefusedTransaction): boolean => template.inputSignatures.length !== 1;

const build = 'POST /transactions/build';
const decoding = 'POST /transactions/decode-unsigned-tx';
/** `X-Error-Next` at the call for one signature. */
const nextOf: Readonly<Record<string, string>> = {
  InvalidTxVersion: build,
  InvalidNetworkId: 'GET /infos/chain-params',
  TooManyInputs: 'POST /transactions/sweep-address/build',
  NoOutputs: build,
  InvalidStartGas: build,
  InvalidGasPrice: build,
  InvalidOutputStats: build,
  BalanceOverFlow: build,
  InvalidInputGroupIndex: decoding,
  InvalidOutputGroupIndex: decoding,
  TxDoubleSpending: build,
  TimeLockedTx: 'GET /addresses/1BGpdq24De2NVrVEmFsQmWDkDNDWuD4kmAXUKzER9wcdC/utxos',
  InvalidCoinBalance: build,
  InvalidTokenBalance: build,
  OutOfGas: build,
  InvalidPublicKeyHash: decoding,
  InvalidScriptHash: decoding,
  InvalidUnlockScriptType: decoding,
  InvalidNumberOfPublicKey: decoding,
  InvalidP2mpkhUnlockScript: decoding,
  NotEnoughSignature: 'POST /multisig/submit',
  InvalidSignature: decoding,
  TooManyInputSignatures: decoding,
  InvalidRemainingBalancesForFailedScriptTx: build,
};

/** What no client can send: the interface takes no signatures of scripts, and wants inputs. */
const isSent = ({ code, template }: RefusedTransaction): boolean =>
  !code.includes('ScriptSignatures') && template.unsigned.inputs.length > 0;

const isSignatures = (code: string): boolean =>
  ['InvalidSignature', 'NotEnoughSignature', 'TooManyInputSignatures'].includes(code);

const fieldOf = (one: RefusedTransaction): string | undefined => {
  if (one.code === 'TooManyInputs') return undefined;
  if (!isSignatures(one.code)) return 'unsignedTx';
  return isMultisig(one) ? 'signatures' : 'signature';
};

const byTheRules = refusedTransactions()
  .filter(isSent)
  .map((one): ErrorCase => {
    const verdict = one.judge() as Refusal;
    const field = fieldOf(one);
    const next = nextOf[one.code];
    return {
      code: one.code as ErrorCode,
      when: one.reason,
      call: submitted(one),
      groups: {
        'command.mempool.submit': ({ template }) => {
          throw refusedTransaction(one.id, decode(transactionTemplateCodec, template), one.judge()!);
        },
      },
      detail: named(`Transaction ${one.id} is refused: ${one.reason}`),
      documented: `Failed in validating tx ${one.id} due to ${refusalText(verdict)}: ${hexOf(one)}`,
      ...(field === undefined ? {} : { field }),
      ...(next === undefined ? {} : { next }),
    };
  });

/** A group-node refuses a transaction for what it knows besides the rules. */
const refusing = (error: ServiceError): ErrorCase['groups'] => ({
  'command.mempool.submit': () => {
    throw error;
  },
});
const knowing = (refusal: Refusal, known: ErrorData): ErrorCase['groups'] =>
  refusing(refusedTransaction(signed.id, signed.template, refusal, known));
const refused = `Transaction ${signed.id} is refused: `;
const failed = (result: string): string => `Failed in validating tx ${signed.id} due to ${result}: ${hexOf(signed)}`;

export const cases: readonly ErrorCase[] = [
  ...byTheRules,
  {
    code: 'DoubleSpending',
    call: submitted(signed),
    groups: refusing(doubleSpendingTransaction(signed.id, signed.template, other)),
    detail: `${refused}transaction ${other} is in the mempool and spends the same output; wait for that one, or build this one again with other outputs`,
    documented: `tx ${signed.id.slice(-8)} is double spending: ${hexOf(signed)}`,
    field: 'unsignedTx',
    next: `GET /transactions/status?txId=${other}`,
  },
  {
    code: 'NonExistInput',
    when: 'what spends it is known',
    call: submitted(signed),
    groups: knowing({ code: 'NonExistInput', detail: 'input 1 of 2 does not exist' }, { conflictingTxId: other }),
    detail: `${refused}input 1 of 2 does not exist; transaction ${other}, which is mined, spends what it spends`,
    documented: failed('NonExistInput'),
    field: 'unsignedTx',
    next: `GET /transactions/status?txId=${other}`,
  },
  {
    code: 'TimeLockedTx',
    when: 'the end of the lock is known',
    call: submitted(signed),
    groups: knowing({ code: 'TimeLockedTx', detail: 'input 1 of 2 is locked' }, { spendableAt: '4102444800000' }),
    detail: `${refused}input 1 of 2 is locked; submit it from 2100-01-01T00:00:00.000Z on`,
    documented: failed('TimeLockedTx'),
    field: 'unsignedTx',
  },
  {
    code: 'TimeLockedTx',
    when: 'for longer than there are dates',
    call: submitted(signed),
    groups: knowing({ code: 'TimeLockedTx', detail: 'input 1 of 2 is locked' }, { spendableAt: '9223372036854775807' }),
    detail: `${refused}input 1 of 2 is locked; submit it from 9223372036854775807 milliseconds after 1970 on`,
    documented: failed('TimeLockedTx'),
    field: 'unsignedTx',
  },
  {
    code: 'TxScriptExeFailed',
    call: submitted(signed),
    groups: knowing(
      { code: 'TxScriptExeFailed', detail: 'its script fails', reason: { code: 'OutOfGas', detail: 'out of gas' } },
      { failure: 'OutOfGas', failedContract: '23nZNcbgCLf' },
    ),
    detail: `${refused}its script fails: out of gas`,
    documented: failed('TxScriptExeFailed(OutOfGas)'),
    field: 'unsignedTx',
    next: 'GET /contracts/23nZNcbgCLf/state',
  },
  {
    code: 'MempoolFull',
    call: submitted(signed),
    groups: refusing(new ServiceError('unavailable', 'MempoolFull', 'The mempool of group 2 is full', { group: 2 })),
    detail: 'The mempool of group 2 is full',
  },
  {
    code: 'TooManyUnminedAncestors',
    call: submitted(signed),
    groups: refusing(
      new ServiceError('unavailable', 'TooManyUnminedAncestors', 'It has more than 25 unmined ancestors', {
        group: 2,
        ancestorLimit: 25,
      }),
    ),
    detail: 'It has more than 25 unmined ancestors',
  },
  {
    code: 'QueueFull',
    call: submitted(signed),
    groups: refusing(queueFull([2], 1)),
    detail: 'Group 2 has more work than can be done in time: nothing was done, ask again in 1 s',
  },
];
