import { Injectable } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { type CallReply, type ContractStateForm, GroupClient } from '@shardnode/messages';
import { parseAddress } from '@shardnode/protocol/address';
import { encode } from '@shardnode/protocol/encoding';
import { groupOfContract, type Hash } from '@shardnode/protocol/primitives';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { explorerError, notFound } from '../errors.js';

interface Place {
  readonly group: number;
  readonly contractId: Hash;
}

/** Contracts as their group-nodes have them now (protocol 08 §5.8, 09 §4.7). */
@Injectable()
export class ContractStates {
  constructor(private readonly groupNodes: GroupClient) {}

  /** @throws ServiceError `NotFound`; of the kind `unavailable` when the group-node is away or has too much to do */
  of(address: string): Promise<ContractStateForm> {
    return this.ask(address, ({ group }) => this.groupNodes.request(group, 'read.contract.state', { address }));
  }

  /**
   * Calls a method, and stores nothing (protocol 05 §14.3). A call that fails is a reply, too.
   * @throws ServiceError as `of`
   */
  async call(address: string, methodIndex: number, args: readonly Val[]): Promise<CallReply> {
    const { results } = await this.ask(address, ({ group, contractId }) => {
      const call = { contractId, methodIndex, args: encode(valsCodec, args), inputAssets: [], existingContracts: [] };
      return this.groupNodes.request(group, 'read.contract.call', { calls: [call] });
    });
    return results[0]!;
  }

  private async ask<Reply>(address: string, request: (place: Place) => Promise<Reply>): Promise<Reply> {
    const place = this.placeOf(address);
    // The id ends in no group: there can be no such contract.
    if (place === undefined) throw notFound(address);
    try {
      return await request(place);
    } catch (error) {
      throw asAnswer(error, address, place.group);
    }
  }

  private placeOf(address: string): Place | undefined {
    const script = parseAddress(address);
    if (script?.kind !== 'p2c') return undefined;
    const { contractId } = script;
    const group = groupOfContract(contractId, this.groupNodes.groups);
    return group === undefined ? undefined : { group, contractId };
  }
}

/** An error of a request to a group-node as that of an answer. @param subject what is not found then */
export const asAnswer = (error: unknown, subject: string, group: number): unknown => {
  if (!(error instanceof ServiceError)) return error;
  if (error.kind === 'not-found') return notFound(subject);
  // Not the client of this answer, but followers of the group-node have too many requests.
  if (error.kind === 'throttled')
    return Object.assign(explorerError('GroupNodeBusy', `The group-node of group ${group} is busy`), { cause: error });
  return error;
};
