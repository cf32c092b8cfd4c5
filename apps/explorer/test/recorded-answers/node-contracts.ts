import { ServiceError } from '@shardnode/core/errors';
import { contractAddressOf, type GroupClient, valueForms } from '@shardnode/messages';
import { parseAddress } from '@shardnode/protocol/address';
import { groupOfContract, type Hash } from '@shardnode/protocol/primitives';
import { type ReplayTarget } from '@shardnode/testing/replay';
import { type ContractSource } from '../../src/index.js';

const idOf = (address: string): Hash => {
  const script = parseAddress(address);
  if (script?.kind !== 'p2c') throw new Error(`${address} is no contract`);
  return script.contractId;
};

/** The contracts of a node that imports histories, as the metadata job asks for them. */
export const contractsOf = (node: ReplayTarget, groups: number): ContractSource => {
  const groupOf = (address: string): number | undefined => groupOfContract(idOf(address), groups);
  return {
    groupOfContract: groupOf,
    isSynced: async () => true,
    contractState: async (address) => {
      const contract = await node.contract!(idOf(address), groupOf(address)!);
      if (!contract) throw new ServiceError('not-found', 'UnknownContract', `there is no contract ${address}`);
      return {
        address: contractAddressOf(idOf(address)),
        bytecode: '',
        codeHash: contract.codeHash,
        initialStateHash: contract.initialStateHash,
        immFields: valueForms(contract.immutableFields),
        mutFields: valueForms(contract.mutableFields),
        asset: { attoCoinAmount: contract.amount.toString(), tokens: [] },
      };
    },
    contractCalls: async (address, methods) => {
      const results = [];
      for (const methodIndex of methods) {
        const returns = await node.callContract!(idOf(address), groupOf(address)!, methodIndex);
        results.push(returns ? { ok: true as const, returns: valueForms(returns) } : { ok: false as const, error: '' });
      }
      return results;
    },
  };
};

/** Answers to the requests of the API as such a node would give them: states of contracts. */
export const groupClientOf = (node: ReplayTarget, groups: number): GroupClient => {
  const { contractState } = contractsOf(node, groups);
  const request = (_group: number, _name: string, { address }: { readonly address: string }) => contractState(address);
  return { groups, request: request as GroupClient['request'] };
};
