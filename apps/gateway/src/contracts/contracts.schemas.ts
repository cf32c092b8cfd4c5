import { z } from 'zod';
import {
  amount,
  assetAddress,
  blockHashText,
  codeHash,
  contractAddress,
  ContractState,
  developmentValues,
  fields,
  gas,
  groupIndex,
  hash,
  hexText,
  int32,
  list,
  meanings,
  numberOf,
  optional,
  optionalList,
  plainText,
  required,
  sentValues,
  smallestUnits,
  tagged,
  textOf,
  timestamp,
  transactionIdText,
  uint256,
  Val,
} from '@shardnode/http';
import { EventOfTransaction } from '../events/events.schemas.js';
import { parametersOf } from '../operations/parameters.js';
import {
  BuildTransactionResult,
  gasGiven,
  gasPrice,
  Output,
  senderKey,
  sentTokens,
} from '../transactions/transactions.schemas.js';
import { contractCode, refuseMuchCode } from './contract-code.js';

const { contract } = developmentValues;

/* Answers (protocol 07 §2.8, §10). */

/** Result of a run (protocol 07 §10.5, §10.6). */
const runResult = {
  returns: list(Val, 'values that the method returns'),
  gasUsed: numberOf(gas, { description: 'Gas that the run takes', example: 1_035 }),
  contracts: list(ContractState, 'states of contracts after the run'),
  txInputs: list(textOf(contractAddress), 'addresses of the contracts whose assets were used'),
  txOutputs: list(Output, 'outputs that the run makes'),
  events: list(EventOfTransaction, 'events of the run'),
  debugMessages: list(
    fields(
      {
        contractAddress: textOf(contractAddress),
        message: plainText('The message', 'balance before the withdrawal: 100'),
      },
      { description: 'Message that a contract writes for its makers', id: 'DebugMessage' },
    ),
    'debug messages, in order',
  ),
};

export const TestContractResult = fields(
  { address: textOf(contractAddress, { description: 'Address of the contract' }), codeHash, ...runResult },
  { description: 'What a test run does', id: 'TestContractResult' },
);

export const CallContractResult = z
  .union([
    fields(
      { type: tagged('CallContractSucceeded'), ...runResult },
      { description: 'What the call does', id: 'CallContractSucceeded' },
    ),
    fields(
      {
        type: tagged('CallContractFailed'),
        error: plainText(
          'Why it fails',
          `The method fails: Assertion Failed in Contract @ ${contract.address}, Error Code: 0`,
        ),
      },
      { description: 'The call fails', id: 'CallContractFailed' },
    ),
  ])
  .register(meanings, { description: 'What became of a call', id: 'CallContractResult' });

export const MultipleCallContractResult = fields(
  { results: list(CallContractResult, 'results, in the order of the calls') },
  { description: 'What became of calls', id: 'MultipleCallContractResult' },
);

export const BuildDeployContractTxResult = BuildTransactionResult.extend({
  contractAddress: textOf(contractAddress, { description: 'Address that the contract will have' }),
}).register(meanings, {
  description: 'Unsigned transaction that creates a contract',
  id: 'BuildDeployContractTxResult',
});

/* State of a contract (protocol 07 §10.1). */

export const ContractPath = parametersOf({ address: required(contractAddress) });
export const ContractStateQuery = parametersOf({
  group: optional(groupIndex('The group of the contract; it follows from the address')),
});

/* Transactions with scripts (protocol 07 §10.2, §10.3). */

const gasOfScript = {
  gasAmount: gasGiven(),
  gasPrice,
  targetBlockHash: optional(blockHashText, { description: 'Read and without effect' }),
};

export const BuildDeployContractTx = fields(
  {
    ...senderKey,
    bytecode: required(hexText, {
      description: 'Serialized contract, then its immutable fields and its mutable fields, each a serialized list',
      example: `${contract.code}0000`,
    }),
    initialAttoCoinAmount: optional(smallestUnits, {
      description: 'Coins of the contract; default and least: one coin',
    }),
    initialTokenAmounts: sentTokens('Tokens of the contract'),
    issueTokenAmount: optional(amount, {
      description: 'How much of its own token is made; default: none',
      example: '1000',
    }),
    issueTokenTo: optional(assetAddress, { description: 'Who gets that token; default: the contract' }),
    ...gasOfScript,
  },
  { description: 'Transaction that creates a contract', id: 'BuildDeployContractTx' },
);

export const BuildExecuteScriptTx = fields(
  {
    ...senderKey,
    bytecode: required(hexText, { description: 'Serialized script', example: developmentValues.script }),
    attoCoinAmount: optional(smallestUnits, { description: 'Coins that the script may use; default: none' }),
    tokens: sentTokens('Tokens that the script may use'),
    ...gasOfScript,
  },
  { description: 'Transaction that runs a script', id: 'BuildExecuteScriptTx' },
);

/* Runs that change nothing (protocol 07 §10.5 to §10.7); how much of anything a request may have: §1.14. */

/** Limit of items that are read; the number of calls is checked later, with its own text. */
const mostCallsRead = 256;
const mostContracts = 256;
const mostAssets = 256;
const mostValues = 1_024;

const Value = required(sentValues);
const values = (description: string) => optionalList(Value, 'values', { description, most: mostValues });

const AssetToSend = fields(
  {
    attoCoinAmount: required(uint256, {
      description: 'Amount in the smallest unit',
      example: '1000000000000000000',
      'x-unit': 'attoCoin',
    }),
    tokens: sentTokens('What it has of tokens'),
  },
  { description: 'What is owned', id: 'AssetToSend' },
);
const InputAsset = fields(
  { address: required(assetAddress), asset: AssetToSend },
  { description: 'What an address brings along', id: 'InputAsset' },
);
const ContractToSend = fields(
  {
    address: required(contractAddress),
    bytecode: required(contractCode),
    codeHash: required(hash, {
      description: 'Read and not used: it follows from the bytecode',
      example: contract.codeHash,
    }),
    initialStateHash: optional(hash, { description: 'Read and not used', example: contract.initialStateHash }),
    immFields: values('Fields that cannot change'),
    mutFields: values('Fields that can change'),
    asset: AssetToSend,
  },
  { description: 'Contract that is there', id: 'ContractToSend' },
);
const run = {
  args: values('Arguments of the method; default: none'),
  inputAssets: optionalList(InputAsset, 'assets of addresses', {
    description: 'Assets that the caller approves: of the first one, half a coin pays for the run',
    most: mostAssets,
  }),
  txId: optional(transactionIdText, { description: 'Id of the transaction of the run; default: random' }),
  callerAddress: optional(contractAddress, { description: 'Contract that calls; default: a script calls' }),
};

export const TestContract = fields(
  {
    group: optional(int32('Group that it runs in; default 0', 0)),
    blockHash: optional(blockHashText, { description: 'Hash of the block of the run; default: random' }),
    blockTimeStamp: optional(timestamp, { description: 'Time of the block of the run, ms since 1970; default: now' }),
    address: optional(contractAddress, { description: 'Address of the contract; default: that of the id of zeros' }),
    bytecode: required(contractCode),
    initialImmFields: values('Fields that cannot change; default: none'),
    initialMutFields: values('Fields that can change; default: none'),
    initialAsset: AssetToSend.nullish().register(meanings, {
      description: 'What the contract owns; default: one coin',
      type: 'object',
    }),
    methodIndex: optional(int32('Which method runs, from 0; default 0', 0)),
    existingContracts: optionalList(ContractToSend, 'contracts', {
      description: 'Contracts that are there for the run; default: none',
      most: mostContracts,
      refuse: refuseMuchCode,
    }),
    ...run,
  },
  { description: 'Run of a method of a contract that is not on the chain', id: 'TestContract' },
);

export const CallContract = fields(
  {
    group: required(int32('Group of the contract', 0)),
    worldStateBlockHash: optional(blockHashText, {
      description: 'Block of the chain of the group to itself whose state is called; default: the newest',
    }),
    address: required(contractAddress),
    methodIndex: required(int32('Which method is called, from 0', 0)),
    existingContracts: optionalList(required(contractAddress), 'addresses of contracts', {
      description: 'Contracts whose state after the call is wanted; default: the called one alone',
      most: mostContracts,
    }),
    ...run,
  },
  { description: 'Call of a method of a contract on the chain', id: 'CallContract' },
);

export const MultipleCallContract = fields(
  { calls: list(CallContract, 'calls, at most 20', { most: mostCallsRead }) },
  { description: 'Calls, each from the state of the chain', id: 'MultipleCallContract' },
);

export type SentAsset = z.output<typeof AssetToSend>;
export type SentContract = z.output<typeof ContractToSend>;
export type SentTest = z.output<typeof TestContract>;
export type SentCall = z.output<typeof CallContract>;
