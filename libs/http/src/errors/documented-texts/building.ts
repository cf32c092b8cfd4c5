import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText, type ErrorFacts } from './documented-text.js';

const tokenId = (id: unknown): string => `TokenId(hex"${String(id)}")`;

/** The text for the case named by the fact `of`. */
const byCase =
  (texts: Readonly<Record<string, DocumentedText>>): DocumentedText =>
  (facts) =>
    texts[String(facts.of)]?.(facts);

const overCoin = (): string => '{COIN} amount overflow';

const gasOutOf =
  (limit: string): DocumentedText =>
  ({ gas, limit: value }) =>
    value === undefined ? undefined : `Provided gas GasBox(${String(gas)}) too ${limit} GasBox(${String(value)})`;

const gasPriceOutOf =
  (limit: string): DocumentedText =>
  ({ price, limit: value }) =>
    `Gas price GasPrice(${String(price)}) too ${limit} GasPrice(${String(value)})`;

const changeKinds: Readonly<Record<string, string>> = {
  coin: '{COIN}',
  token: 'token',
  'coin and token': '{COIN} and token',
};

const trialOf =
  (what: string): DocumentedText =>
  ({ trialFailure }) =>
    `Execution error when estimating gas for ${what}: ${String(trialFailure)}`;

const amounts: Partial<Record<ErrorCode, DocumentedText>> = {
  NotEnoughBalance: byCase({
    selection: ({ got, expected }) => `Not enough balance: got ${String(got)}, expected ${String(expected)}`,
    inputs: () => 'Not enough balance',
    sweep: () => 'Not enough {COIN} balance for transaction outputs',
    trial: trialOf('tx script or contract'),
  }),
  NotEnoughBalanceForFee: byCase({
    selection: () => 'Not enough balance for fee, maybe transfer a smaller amount',
    inputs: () => 'Not enough balance for gas fee',
    sweep: () => 'Not enough balance for gas fee in Sweeping',
  }),
  NotEnoughToken: ({ token }) => `Not enough balance for token ${tokenId(token)}`,
  NewTokensInOutputs: ({ tokens }) =>
    `New tokens found in outputs: Set(${String(tokens).split(',').map(tokenId).join(', ')})`,
  ChangeTooSmall: ({ of, got, expected }) =>
    `Not enough {COIN} for ${changeKinds[String(of)]} change output, expected ${String(expected)}, got ${String(got)}`,
  AmountBelowDust: () => 'Not enough {COIN} for transaction output',
  TokenAmountZero: () => 'Value is Zero for one or many tokens in the transaction output',
  AmountOverflow: byCase({
    coin: () => '{Coin} Amount overflow',
    total: overCoin,
    input: () => 'Input amount overflow',
    output: () => 'Output amount overflow',
    token: ({ token }) => `Amount overflow for token ${tokenId(token)}`,
  }),
  DepositTooSmall: () => 'Expect 1 {COIN} deposit to deploy a new contract',
  MissingIssueAmount: () => '`issueTokenTo` is specified, but `issueTokenAmount` is not specified',
  UnbalancedCoin: () => "Inputs' {Coin} don't sum up to outputs and gas fee",
  UnbalancedTokens: ({ tokens }) =>
    `Inputs' tokens don't sum up to outputs' tokens: ${String(tokens).split(',').map(tokenId).join(', ')}`,
};

const sendersAndDestinations: Partial<Record<ErrorCode, DocumentedText>> = {
  ZeroOutputs: () => 'Zero transaction outputs',
  ZeroInputs: () => 'Empty list of input',
  EmptyInputs: () => 'Invalid transaction: empty inputs',
  TooManyOutputs: ({ limit }: ErrorFacts) =>
    limit === undefined ? undefined : `Too many transaction outputs, maximal value: ${String(limit)}`,
  DifferentGroups: byCase({
    outputs: () => 'Different groups for transaction outputs',
    inputs: () => 'Different groups for transaction inputs',
  }),
  RepeatedSender: () => 'Some addresses defined multiple time',
  MissingGas: () => 'Missing `gasAmount` in some inputs',
  EmptyUtxos: () => 'Empty UTXOs',
  UtxoNotFound: () => 'Can not find all selected UTXOs',
  ContractUtxo: () => 'Selected UTXOs must be of asset type',
  DifferentUtxoGroups: byCase({
    chosen: () => 'Selected UTXOs are not from the same group',
    first: () => 'Selected UTXOs different from lockup script group',
  }),
  InputsNotUnique: () => 'Inputs not unique',
  TooManyInputs: () =>
    'Too many inputs for the transfer, consider to reduce the amount to send, or use the `sweep-address` endpoint to consolidate the inputs first',
  InvalidLockupScript: () => 'Invalid lockup script',
  InvalidPublicKeyNumber: ({ found, expected }) =>
    `Invalid public key number. Expected ${String(expected)}, got ${String(found)}`,
  InvalidPublicKey: ({ publicKey, kind }) =>
    publicKey === undefined
      ? undefined
      : `Invalid ${kind === undefined ? '' : `${String(kind)} `}public key: ${String(publicKey)}`,
};

const gasAndScripts: Partial<Record<ErrorCode, DocumentedText>> = {
  GasTooSmall: gasOutOf('small, minimal'),
  GasTooLarge: gasOutOf('large, maximal'),
  GasPriceTooSmall: gasPriceOutOf('small, minimal'),
  GasPriceTooLarge: gasPriceOutOf('large, maximal'),
  GasFeeTooHigh: ({ fee, limit }) => `Too much gas fee, cap at ${String(limit)}, got ${String(fee)}`,
  EstimatedGasTooLarge: ({ gas, limit }) =>
    `Estimated gas GasBox(${String(gas)}) too large, maximal GasBox(${String(limit)}). Consider consolidating UTXOs using the sweep endpoints or sending to less addresses`,
  NoUtxo: () => 'No UTXO found.',
  ScriptTrialFailed: byCase({
    script: trialOf('tx script or contract'),
    "sender's script": trialOf('P2SH script'),
    signature: () => 'Please use binary search to set the gas manually as signature is required in P2SH script',
  }),
  InvalidUnlockScript: () => 'Error estimating gas for SameAsPrevious unlock script',
};

/** Building a transaction (protocol 02 §4 to §7, 07 §16.11). */
export const buildingTexts: Partial<Record<ErrorCode, DocumentedText>> = {
  ...amounts,
  ...sendersAndDestinations,
  ...gasAndScripts,
};
