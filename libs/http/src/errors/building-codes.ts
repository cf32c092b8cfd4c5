import { type BuildRefusalName } from '@shardnode/protocol/building';
import { type contractCodes } from './contract-codes.js';
import { type edgeCodes } from './edge-codes.js';
import { type ErrorRow } from './error-row.js';
import { type validationCodes } from './validation-codes.js';

/** The endpoints that sweep many small outputs into one. */
const sweep = {
  wallets: 'POST /wallets/{wallet_name}/sweep-active-address',
  multisig: 'POST /multisig/sweep',
  otherwise: 'POST /transactions/sweep-address/build',
} as const;

const balance = {
  wallets: 'GET /wallets/{wallet_name}/balances',
  multisig: 'GET /addresses/{fromAddress}/balance',
  otherwise: 'GET /addresses/{address}/balance',
} as const;

/** Another address of the wallet could pay (`payers`). */
const another = { payers: 'POST /wallets/{wallet_name}/change-active-address' } as const;

const outputs = {
  multisig: 'GET /addresses/{fromAddress}/utxos',
  otherwise: 'GET /addresses/{address}/utxos',
} as const;

/** Names that no other table has. */
type Name =
  | Exclude<BuildRefusalName, keyof typeof validationCodes | keyof typeof contractCodes | keyof typeof edgeCodes>
  | 'InvalidTargetBlock';

/** Errors of building transactions (protocol 07 §16.11). Errors shared with validation are in its table. */
export const buildingCodes = {
  NotEnoughBalance: {
    kind: 'refused',
    meaning:
      'the spendable coins or tokens are too few: the detail says how much less can be sent, and whether a sweep sends everything; if locked ones would do, `X-Spendable-At` says when they can be spent; of a wallet, `X-Wallet-Advice` names the addresses that could pay',
    next: balance,
    nextWith: another,
  },
  NotEnoughBalanceForFee: {
    kind: 'refused',
    meaning: 'the coins cover the destinations, but not the fee: the detail says how much less can be sent',
    next: balance,
    nextWith: another,
  },
  NotEnoughToken: {
    kind: 'refused',
    meaning: 'a destination wants more of a token than the inputs have: the detail says how much less can be sent',
    next: balance,
    nextWith: another,
  },
  NewTokensInOutputs: {
    kind: 'refused',
    meaning: 'a destination wants a token that no input has',
    next: balance,
    nextWith: another,
  },
  ChangeTooSmall: {
    kind: 'refused',
    meaning: 'the change would be below the dust amount: the detail says how much less can be sent',
    next: balance,
    nextWith: another,
  },
  AmountBelowDust: {
    kind: 'refused',
    meaning: 'a destination gets less than the dust amount of 10^15',
    fields: ['destinations'],
  },
  TokenAmountZero: { kind: 'refused', meaning: 'a destination gets zero of a token', fields: ['destinations'] },
  AmountOverflow: { kind: 'refused', meaning: 'a sum is above what can exist', fields: ['destinations'] },
  ZeroOutputs: { kind: 'refused', meaning: 'a transaction needs a destination', fields: ['destinations'] },
  ZeroInputs: { kind: 'refused', meaning: 'a transaction needs a sender', fields: ['from'] },
  EmptyInputs: { kind: 'refused', meaning: 'a transaction needs an input', fields: ['unsignedTx', 'from'] },
  DifferentGroups: {
    kind: 'refused',
    meaning: 'the addresses are of several groups: make one transaction for each group',
    fields: ['destinations', 'from'],
  },
  RepeatedSender: { kind: 'refused', meaning: 'a sender is named twice', fields: ['from'] },
  MissingGas: { kind: 'refused', meaning: 'either every sender has a gas amount or none', fields: ['from'] },
  EmptyUtxos: { kind: 'refused', meaning: 'the list of chosen outputs is empty', fields: ['utxos'], next: outputs },
  UtxoNotFound: {
    kind: 'refused',
    meaning: 'a chosen output is spent, or never was',
    fields: ['utxos', 'from'],
    next: outputs,
  },
  ForeignUtxo: {
    kind: 'refused',
    meaning: 'a chosen output is not of the sender',
    fields: ['utxos', 'from'],
    next: outputs,
  },
  LockedUtxo: {
    kind: 'refused',
    meaning: 'a chosen output cannot be spent yet: `X-Spendable-At` says when',
    fields: ['utxos', 'from'],
    next: outputs,
  },
  ContractUtxo: {
    kind: 'refused',
    meaning: 'a chosen output is of a contract',
    fields: ['utxos', 'from'],
    next: outputs,
  },
  DifferentUtxoGroups: {
    kind: 'refused',
    meaning: 'the chosen outputs are of several groups',
    fields: ['utxos', 'from'],
    next: outputs,
  },
  InputsNotUnique: { kind: 'refused', meaning: 'an output is chosen twice', fields: ['utxos', 'from'] },
  ScriptTrialFailed: {
    kind: 'refused',
    meaning:
      'the script fails when it is tried as it would run, with what the request approves: `X-Failure` names how, `X-Failed-Contract`, `X-Failed-Instruction` and `X-Assertion-Code` say where; if more approved assets would do, the detail says how much',
    fields: ['bytecode', 'attoCoinAmount', 'tokens'],
  },
  NoUtxo: { kind: 'refused', meaning: 'the sender has no spendable outputs to try the script with', next: outputs },
  DepositTooSmall: {
    kind: 'refused',
    meaning: 'a contract is deployed with one coin at least',
    fields: ['initialAttoCoinAmount'],
  },
  MissingIssueAmount: {
    kind: 'refused',
    meaning: 'a token goes to an address, but none is issued',
    fields: ['issueTokenAmount', 'issueTokenTo'],
  },
  GasTooSmall: {
    kind: 'refused',
    meaning: 'the gas amount is below the minimum, or what the transaction and its script need',
    fields: ['gasAmount', 'gas'],
  },
  GasTooLarge: { kind: 'refused', meaning: 'the gas amount is above the maximum', fields: ['gasAmount', 'gas'] },
  GasPriceTooSmall: { kind: 'refused', meaning: 'no block takes this gas price', fields: ['gasPrice'] },
  GasPriceTooLarge: { kind: 'refused', meaning: 'the gas price is above all coins', fields: ['gasPrice'] },
  GasFeeTooHigh: {
    kind: 'refused',
    meaning: 'the fee is above the cap, surely a mistake',
    fields: ['gasPrice', 'unsignedTx'],
  },
  EstimatedGasTooLarge: {
    kind: 'refused',
    meaning:
      'inputs and destinations need more gas than one transaction has: the detail says how many fit. Where it is the inputs, join outputs first',
    next: sweep,
    nextNeeds: 'inputsThatFit',
  },
  TooManyInputs: {
    kind: 'refused',
    meaning: 'more than 256 inputs would be needed: join the outputs first, or send as much less as the detail says',
    next: sweep,
  },
  InvalidLockupScript: {
    kind: 'refused',
    meaning: 'the sender is no multisig address',
    fields: ['fromAddress'],
    next: 'POST /transactions/build',
  },
  InvalidPublicKeyNumber: {
    kind: 'refused',
    meaning: 'exactly m public keys sign',
    fields: ['fromPublicKeys'],
  },
  InvalidPublicKeyOrder: {
    kind: 'refused',
    meaning: 'the keys are repeated, or in another order than in the address',
    fields: ['fromPublicKeys'],
  },
  InvalidUnlockScript: { kind: 'refused', meaning: 'nothing is known of what this unlock script costs' },
  InvalidTargetBlock: {
    kind: 'refused',
    meaning: 'the target block is not of the group of the sender',
    fields: ['targetBlockHash'],
  },
  UnbalancedCoin: { kind: 'refused', meaning: 'coins of inputs and outputs differ', fields: ['from'] },
  UnbalancedTokens: { kind: 'refused', meaning: 'tokens of inputs and outputs differ', fields: ['from'] },
} as const satisfies Record<Name, ErrorRow>;
