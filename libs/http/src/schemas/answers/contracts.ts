import { z } from 'zod';
import { attoAmountField, type Brand } from '../../brand/brand.js';
import { hash, hexText } from '../bytes.js';
import { developmentValues } from '../development-values.js';
import { fields, list, meanings } from '../leaf.js';
import { gas } from '../numbers.js';
import { contractAddress } from '../texts.js';
import { attoCoins, number, plainText, tagged, text } from './answer-leaves.js';
import { valueAnswer, type EventAnswers } from './events.js';
import { type TransactionAnswers } from './transactions.js';

const { contract } = developmentValues;

/** What a run shows in common (protocol 07 §10.5, §10.6). */
const runParts = (
  { transactions, events }: Shared,
  value: z.ZodType<z.output<ReturnType<typeof valueAnswer>>>,
  contractState: ContractState,
) => ({
  returns: list(value, 'values that the method returns'),
  gasUsed: number(gas, { description: 'Gas that the run takes', example: 1_035 }),
  contracts: list(contractState, 'states of contracts after the run'),
  txInputs: list(text(contractAddress), 'addresses of the contracts whose assets were used'),
  txOutputs: list(transactions.output, 'outputs that the run makes'),
  events: list(events.eventOfTransaction, 'events of the run'),
  debugMessages: list(
    fields(
      {
        contractAddress: text(contractAddress),
        message: plainText('The message', 'balance before the withdrawal: 100'),
      },
      { description: 'Message that a contract writes for its makers', id: 'DebugMessage' },
    ),
    'debug messages, in order',
  ),
});

interface Shared {
  readonly transactions: TransactionAnswers;
  readonly events: EventAnswers;
}
type ContractState = ReturnType<typeof stateAnswer>;

const stateAnswer = (brand: Brand, value: ReturnType<typeof valueAnswer>, { transactions }: Shared) => {
  const amount = { [attoAmountField(brand)]: attoCoins('Amount in the smallest unit') } as {
    attoCoinAmount: z.ZodString;
  };
  return fields(
    {
      address: text(contractAddress, { description: 'Address of the contract' }),
      bytecode: text(hexText, { description: 'Serialized contract', example: contract.code }),
      codeHash: text(hash, { description: 'Hash of the serialized contract', example: contract.codeHash }),
      initialStateHash: text(hash, {
        description: 'Hash of the code and the first state',
        example: contract.initialStateHash,
      }).optional(),
      immFields: list(value, 'fields that cannot change'),
      mutFields: list(value, 'fields that can change'),
      asset: fields(
        { ...amount, tokens: list(transactions.token, 'tokens').optional() },
        { description: 'What it owns', id: 'AssetState' },
      ),
    },
    { description: 'State of a contract', id: 'ContractState' },
  );
};

/** Contracts: their state, runs that change nothing, transactions that create them (protocol 07 §2.8, §10). */
export const contractAnswers = (brand: Brand, shared: Shared) => {
  const { value } = shared.events;
  const contractState = stateAnswer(brand, value, shared);
  const run = runParts(shared, value, contractState);
  const callResult = z
    .union([
      fields(
        { type: tagged('CallContractSucceeded'), ...run },
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
  return {
    contractState,
    contractTest: fields(
      {
        address: text(contractAddress, { description: 'Address of the contract' }),
        codeHash: text(hash, { description: 'Hash of the serialized contract', example: contract.codeHash }),
        ...run,
      },
      { description: 'What a test run does', id: 'TestContractResult' },
    ),
    callResult,
    callResults: fields(
      { results: list(callResult, 'results, in the order of the calls') },
      { description: 'What became of calls', id: 'MultipleCallContractResult' },
    ),
    deployment: shared.transactions.built
      .extend({ contractAddress: text(contractAddress, { description: 'Address that the contract will have' }) })
      .register(meanings, {
        description: 'Unsigned transaction that creates a contract',
        id: 'BuildDeployContractTxResult',
      }),
  };
};
