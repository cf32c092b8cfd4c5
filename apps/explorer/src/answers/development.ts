import { type z } from 'zod';
import {
  blockHashText,
  fields,
  flagAnswer,
  gas,
  list,
  numberOf,
  plainText,
  tagged,
  textOf,
  transactionIdText,
  Val,
} from '@shardnode/http';

export const TestPayment = fields(
  { txId: textOf(transactionIdText) },
  { description: 'A payment that was sent', id: 'TestPayment' },
);

export const Mining = fields(
  {
    mode: plainText('`instant`: with each submit; `interval`: in rounds; `off`: on request alone', 'instant'),
  },
  { description: 'When blocks are mined', id: 'Mining' },
);
export const MinedBlock = fields(
  { blockHash: textOf(blockHashText) },
  { description: 'A block that was mined', id: 'MinedBlock' },
);
export const Compiled = fields(
  { compiled: flagAnswer('Always true', true) },
  { description: 'A source that was compiled', id: 'Compiled' },
);

const slot = {
  name: plainText('Name; of an element of an array `xs[0]`, of a field of a struct `point.x`', 'balance'),
  type: plainText('Type', 'U256'),
};
const Slot = fields(slot, { description: 'A value with its name', id: 'Slot' });

const SourceOfContract = fields(
  {
    contract: plainText('Name of the contract', 'TokenFaucet'),
    fields: list(
      fields(
        { ...slot, isMutable: flagAnswer('Whether it can change', true) },
        { description: 'A field of the contract', id: 'FieldSlot' },
      ),
      'fields, in order; absent: the layout of a type is unknown',
    ).optional(),
    functions: list(
      fields(
        {
          name: plainText('Name of the function', 'withdraw'),
          isPublic: flagAnswer('Whether others may call it', true),
          usePreapprovedAssets: flagAnswer('Whether its caller must approve assets', false),
          params: list(Slot, 'parameters; absent: the layout of a type is unknown').optional(),
          returns: list(plainText('Type', 'U256'), 'types of the results; absent as the parameters are').optional(),
        },
        { description: 'A function', id: 'FunctionOfContract' },
      ),
      'functions; the position is the index of the method',
    ),
    events: list(
      fields(
        {
          name: plainText('Name of the event', 'Withdraw'),
          fields: list(Slot, 'fields; absent: the layout of a type is unknown').optional(),
        },
        { description: 'An event', id: 'EventOfContract' },
      ),
      'events; the position is the index of the event',
    ),
  },
  { description: 'Names in the source of a contract', id: 'SourceOfContract' },
);
export const ContractSource = fields(
  { source: SourceOfContract.nullable() },
  { description: 'The source, if this network compiled it lately', id: 'ContractSource' },
);

const CallSucceeded = fields(
  {
    type: tagged('CallContractSucceeded'),
    returns: list(Val, 'values that the method returns'),
    gasUsed: numberOf(gas, { description: 'Gas that the call takes', example: 1_035 }),
    debugMessages: list(plainText('The message', 'balance: 100'), 'debug messages, in order'),
  },
  { description: 'What the call returns', id: 'CallContractSucceeded' },
);
const CallFailed = fields(
  {
    type: tagged('CallContractFailed'),
    error: plainText('Why it fails', 'The method fails: Assertion Failed, Error Code: 0'),
    failedFunction: plainText('Where', 'TokenFaucet.withdraw').optional(),
    assertionName: plainText('Name of the error code', 'FaucetError.TooMuch').optional(),
  },
  { description: 'The call fails', id: 'CallContractFailed' },
);
export const CallResult = CallSucceeded.or(CallFailed);

export type ContractSourceAnswer = z.input<typeof ContractSource>;
export type CallResultAnswer = z.input<typeof CallResult>;
