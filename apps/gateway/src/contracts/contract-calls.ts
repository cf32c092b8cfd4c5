import { type ServiceError } from '@shardnode/core/errors';
import { type CallReply, type ContractCall, type GroupClient, groupOfScript } from '@shardnode/messages';
import { contractUnknown, groupMismatch, noSuchGroup } from './contract-errors.js';
import { type SentCall } from './contracts.schemas.js';
import { runItem } from './run-items.js';

/** A call with its group, or the reason why it fails without a request. */
export type PlacedCall = { readonly group: number; readonly call: ContractCall } | CallReply;

const failed = ({ detail: error, code, data: facts }: ServiceError): CallReply => ({
  type: 'CallContractFailed',
  error,
  code,
  facts,
});

export const placedCall = (call: SentCall, groups: number): PlacedCall => {
  const { group, address, methodIndex, existingContracts, worldStateBlockHash } = call;
  const { contractId } = address.lockupScript;
  if (group < 0 || group >= groups) return failed(noSuchGroup(group, groups));
  const own = groupOfScript(address.lockupScript, groups);
  // The id ends in no group: such a contract cannot exist.
  if (own === undefined) return failed(contractUnknown(address, groups));
  if (own !== group) return failed(groupMismatch(group, address.text, own));
  return {
    group,
    call: {
      ...runItem(call),
      contractId,
      methodIndex,
      existingContracts: (existingContracts ?? []).map(({ lockupScript }) => lockupScript.contractId),
      worldStateBlockHash,
    },
  };
};

/** Requests the calls of each group in one message; returns the results in the order of the calls. */
export const requestCalls = async (
  calls: readonly PlacedCall[],
  groups: Pick<GroupClient, 'request'>,
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
