import {
  amountInField,
  attoAmountField,
  type Brand,
  contractRefusals,
  errorOf,
  scriptHex,
  type SentAsset,
  type SentCall,
  type SentContract,
} from '@shardnode/http';
import { type CallReply, type ContractCall, type ContractItem, groupOfScript } from '@shardnode/messages';
import { type ServiceError } from '@shardnode/core/errors';
import { encode } from '@shardnode/protocol/encoding';
import { zeroHash } from '@shardnode/protocol/primitives';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { endpoint, type Endpoint, type RequestInput } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { type Clients, type Plan } from '../endpoint/plans.js';
import { contractUnknown, groupMismatch } from './contracts.js';

const mostCalls = 20;

const noSuchGroup = (group: number, groups: number): ServiceError =>
  errorOf('InvalidGroup', `There is no group ${group}: expected 0 to ${groups - 1}`, { field: 'group', group });

const oneCoin = { amount: 10n ** 18n, tokens: undefined };

const encodedValues = (values: readonly (readonly Val[])[] | undefined): Uint8Array =>
  encode(valsCodec, (values ?? []).flat());

interface Asset {
  readonly amount: bigint;
  readonly tokens: SentAsset['tokens'];
}
const assetItem = ({ amount, tokens }: Asset) => ({
  amount: amount.toString(),
  tokens: (tokens ?? []).map((token) => ({ id: token.id, amount: token.amount.toString() })),
});

const assetOf = (sent: SentAsset, brand: Brand): Asset => ({
  amount: amountInField(sent, attoAmountField(brand))!,
  tokens: sent.tokens,
});

const contractItem = (
  { address, bytecode, immFields, mutFields, asset }: SentContract,
  brand: Brand,
): ContractItem => ({
  contractId: address.lockupScript.contractId,
  code: bytecode.code,
  immutableFields: encodedValues(immFields),
  mutableFields: encodedValues(mutFields),
  ...assetItem(assetOf(asset, brand)),
});

type SentRun = Pick<SentCall, 'args' | 'inputAssets' | 'txId' | 'callerAddress'>;

const runItem = ({ args, inputAssets, txId, callerAddress }: SentRun, brand: Brand) => ({
  args: encodedValues(args),
  inputAssets: (inputAssets ?? []).map(({ address, asset }) => ({
    lockupScript: scriptHex(address.lockupScript),
    ...assetItem(assetOf(asset, brand)),
  })),
  txId,
  callerId: callerAddress?.lockupScript.contractId,
});

/** Protocol 07 §10.5. */
const testContract = ({ network: { groups }, brand, requests, answers, contractForms }: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/contracts/test-contract',
      tag: 'Contracts',
      summary: 'Run a method of a contract that is not on the chain',
      description: 'A unit test: nothing is stored. The first input asset pays half a coin for the run.',
      body: requests.testContract,
      answer: answers.contractTest,
      codes: [...contractRefusals, 'InvalidGroup'],
    },
    () => ({
      kind: 'one group',
      prepare: ({ body }) => {
        const { group = 0 } = body;
        if (group < 0 || group >= groups) throw noSuchGroup(group, groups);
        const contractId = body.address?.lockupScript.contractId ?? zeroHash;
        const payload = {
          ...runItem(body, brand),
          methodIndex: body.methodIndex ?? 0,
          contract: {
            contractId,
            code: body.bytecode.code,
            immutableFields: encodedValues(body.initialImmFields),
            mutableFields: encodedValues(body.initialMutFields),
            ...assetItem(body.initialAsset ? assetOf(body.initialAsset, brand) : oneCoin),
          },
          existingContracts: (body.existingContracts ?? []).map((item) => contractItem(item, brand)),
          blockHash: body.blockHash,
          blockTimestamp: body.blockTimeStamp?.toString(),
        };
        return async (clients) =>
          contractForms.test(contractId, await clients.groups.request(group, 'read.contract.test', payload));
      },
    }),
  );

const failed = ({ detail: error, code, data: facts }: ServiceError): CallReply => ({
  type: 'CallContractFailed',
  error,
  code,
  facts,
});

/** A call for its group, or why it fails without being made. */
const placed = (
  call: SentCall,
  groups: number,
  brand: Brand,
): { readonly group: number; readonly call: ContractCall } | CallReply => {
  const { group, address, methodIndex, existingContracts, worldStateBlockHash } = call;
  const { contractId } = address.lockupScript;
  if (group < 0 || group >= groups) return failed(noSuchGroup(group, groups));
  const own = groupOfScript(address.lockupScript, groups);
  // The id ends in no group: nowhere is a place for such a contract.
  if (own === undefined) return failed(contractUnknown(address.text, contractId));
  if (own !== group) return failed(errorOf('InvalidRequest', groupMismatch(group, address.text, own)));
  return {
    group,
    call: {
      ...runItem(call, brand),
      contractId,
      methodIndex,
      existingContracts: (existingContracts ?? []).map(({ lockupScript }) => lockupScript.contractId),
      worldStateBlockHash,
    },
  };
};

/** Asks each group for its calls, all of them in one message; the results in the order of the calls. */
const callAll = async (
  calls: readonly ReturnType<typeof placed>[],
  { groups }: Clients,
): Promise<readonly CallReply[]> => {
  const results: CallReply[] = [];
  const byGroup = new Map<number, { readonly at: number[]; readonly calls: ContractCall[] }>();
  calls.forEach((call, at) => {
    if ('type' in call) {
      results[at] = call;
      return;
    }
    const asked = byGroup.get(call.group) ?? { at: [], calls: [] };
    asked.at.push(at);
    asked.calls.push(call.call);
    byGroup.set(call.group, asked);
  });
  await Promise.all(
    [...byGroup].map(async ([group, asked]) => {
      const reply = await groups.request(group, 'read.contract.call', { calls: asked.calls });
      reply.results.forEach((result, index) => (results[asked.at[index]!] = result));
    }),
  );
  return results;
};

const whatAnswers =
  'Nothing is stored. A call that fails is answered with status 200 and `CallContractFailed`; what cannot be read is a 400.';

/** Protocol 07 §10.6, §10.7. */
const callContract = ({ network: { groups }, brand, requests, answers, contractForms }: Edge): Endpoint[] => {
  const called = <Body, Answer>(
    callsOf: (body: Body) => readonly SentCall[],
    form: (results: ReturnType<typeof contractForms.call>[]) => Answer,
  ): Plan<RequestInput<undefined, undefined, Body>, Answer> => ({
    kind: 'one group',
    prepare: ({ body }) => {
      const calls = callsOf(body).map((call) => placed(call, groups, brand));
      return async (clients) => form((await callAll(calls, clients)).map(contractForms.call));
    },
  });
  return [
    endpoint(
      {
        method: 'POST',
        path: '/contracts/call-contract',
        tag: 'Contracts',
        summary: 'Call a method of a contract',
        description: whatAnswers,
        body: requests.callContract,
        answer: answers.callResult,
        codes: ['TooManyRuns'],
      },
      () =>
        called(
          (call: SentCall) => [call],
          ([result]) => result!,
        ),
    ),
    endpoint(
      {
        method: 'POST',
        path: '/contracts/multicall-contract',
        tag: 'Contracts',
        summary: 'Call methods of contracts, at most 20',
        description: `Each call starts from the state of the chain, not from what the one before leaves. ${whatAnswers}`,
        body: requests.multicallContract,
        answer: answers.callResults,
        codes: ['TooManyCalls', 'TooManyRuns'],
      },
      () =>
        called(
          ({ calls }: { readonly calls: readonly SentCall[] }) => {
            if (calls.length > mostCalls) {
              const detail = `A request makes at most ${mostCalls} calls, got ${calls.length}: make several requests`;
              throw errorOf('TooManyCalls', detail, { field: 'calls', most: mostCalls });
            }
            return calls;
          },
          (results) => ({ results }),
        ),
    ),
  ];
};

export const contractRunEndpoints = (edge: Edge): Endpoint[] => [testContract(edge), ...callContract(edge)];
