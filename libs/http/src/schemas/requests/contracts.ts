import { type z } from 'zod';
import { decode, DecodeError, encode, parseHex } from '@shardnode/protocol/encoding';
import { contractCodec, type Contract } from '@shardnode/protocol/script';
import { attoAmountField, type Brand } from '../../brand/brand.js';
import { blockHashText, hash, tokenIdText, transactionIdText } from '../bytes.js';
import { developmentValues } from '../development-values.js';
import { fields, list, meanings, mistake, optional, optionalList, required, type Leaf } from '../leaf.js';
import { int32, timestamp, uint256 } from '../numbers.js';
import { assetAddress, contractAddress } from '../texts.js';
import { sentValues } from '../values.js';
import { sentTokens } from './spending.js';

/** Of one request (protocol 07 §1.14); counted by its endpoint, with a text of its own. */
const mostCallsRead = 256;
const mostContracts = 256;
const mostAssets = 256;
const mostValues = 1_024;

/** A contract with its canonical bytes. */
export interface ReadContract {
  readonly contract: Contract;
  readonly code: Uint8Array;
}

const contractCode: Leaf<ReadContract> = {
  expects: 'the hexadecimal digits of a serialized contract',
  read: (raw) => {
    const bytes = typeof raw === 'string' ? parseHex(raw) : undefined;
    if (!bytes) return undefined;
    try {
      const contract = decode(contractCodec, bytes);
      return { contract, code: encode(contractCodec, contract) };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return mistake(`expected a serialized contract, but its bytes do not decode: ${error.message}`);
    }
  },
  meaning: {
    description: 'Serialized contract, hexadecimal',
    example: developmentValues.contract.code,
    type: 'string',
    format: 'hex',
    pattern: '^([0-9a-fA-F]{2})+$',
  },
};

/** What several requests are made of; a request holds each of them once, so that its description does too. */
const contractParts = (brand: Brand) => {
  const value = required(sentValues);
  const values = (description: string) => optionalList(value, 'values', { description, most: mostValues });
  const token = fields(
    { id: required(tokenIdText), amount: required(uint256) },
    { description: 'Amount of a token', id: 'TokenAmount' },
  );
  const coins = () =>
    required(uint256, {
      description: 'Amount in the smallest unit',
      example: '1000000000000000000',
      'x-unit': 'attoCoin',
    });
  const asset = fields(
    {
      // The name depends on the brand, which types cannot tell.
      ...({ [attoAmountField(brand)]: coins() } as { attoCoinAmount: ReturnType<typeof coins> }),
      tokens: sentTokens('What it has of tokens', token),
    },
    { description: 'What is owned', id: 'AssetToSend' },
  );
  const inputAsset = fields(
    { address: required(assetAddress), asset },
    { description: 'What an address brings along', id: 'InputAsset' },
  );
  const contract = fields(
    {
      address: required(contractAddress),
      bytecode: required(contractCode),
      codeHash: required(hash, {
        description: 'Read and not used: it follows from the bytecode',
        example: developmentValues.contract.codeHash,
      }),
      initialStateHash: optional(hash, {
        description: 'Read and not used',
        example: developmentValues.contract.initialStateHash,
      }),
      immFields: values('Fields that cannot change'),
      mutFields: values('Fields that can change'),
      asset,
    },
    { description: 'Contract that is there', id: 'ContractToSend' },
  );
  const run = () => ({
    args: values('Arguments of the method; default: none'),
    inputAssets: optionalList(inputAsset, 'assets of addresses', {
      description: 'Assets that the caller approves: of the first one, half a coin pays for the run',
      most: mostAssets,
    }),
    txId: optional(transactionIdText, { description: 'Id of the transaction of the run; default: random' }),
    callerAddress: optional(contractAddress, { description: 'Contract that calls; default: a script calls' }),
  });
  return { value, values, asset, inputAsset, contract, run };
};

const testRequest = (brand: Brand) => {
  const { values, asset, contract, run } = contractParts(brand);
  return fields(
    {
      group: optional(int32('Group that it runs in; default 0', 0)),
      blockHash: optional(blockHashText, { description: 'Hash of the block of the run; default: random' }),
      blockTimeStamp: optional(timestamp, { description: 'Time of the block of the run, ms since 1970; default: now' }),
      address: optional(contractAddress, { description: 'Address of the contract; default: that of the id of zeros' }),
      bytecode: required(contractCode),
      initialImmFields: values('Fields that cannot change; default: none'),
      initialMutFields: values('Fields that can change; default: none'),
      initialAsset: asset.nullish().register(meanings, {
        description: 'What the contract owns; default: one coin',
        type: 'object',
      }),
      methodIndex: optional(int32('Which method runs, from 0; default 0', 0)),
      existingContracts: optionalList(contract, 'contracts', {
        description: 'Contracts that are there for the run; default: none',
        most: mostContracts,
      }),
      ...run(),
    },
    { description: 'Run of a method of a contract that is not on the chain', id: 'TestContract' },
  );
};

const callRequest = (brand: Brand) =>
  fields(
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
      ...contractParts(brand).run(),
    },
    { description: 'Call of a method of a contract on the chain', id: 'CallContract' },
  );

/** Protocol 07 §10.5 to §10.7. */
export const contractRequests = (brand: Brand) => {
  const call = callRequest(brand);
  return {
    testContract: testRequest(brand),
    callContract: call,
    multicallContract: fields(
      { calls: list(call, 'calls, at most 20', { most: mostCallsRead }) },
      { description: 'Calls, each from the state of the chain', id: 'MultipleCallContract' },
    ),
  };
};

type Parts = ReturnType<typeof contractParts>;
export type SentAsset = z.output<Parts['asset']>;
export type SentContract = z.output<Parts['contract']>;
export type SentCall = z.output<ReturnType<typeof callRequest>>;
