import { Injectable } from '@nestjs/common';
import { boundSize } from '@shardnode/core/eviction';
import { GroupClient, type ScriptFailure } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { asAnswer } from './contract-states.js';

/** Reasons that are kept: what a group-node says of a block does not change. */
const mostKept = 1_000;

/** Why scripts failed, as the group-node of their chain finds out by running their block again (protocol 09 §4.8). */
@Injectable()
export class ScriptFailures {
  private readonly kept = new Map<string, ScriptFailure>();

  constructor(private readonly groupNodes: GroupClient) {}

  /**
   * @param group of the chain of the block
   * @returns undefined where the group-node does not have the state before the block any more
   * @throws ServiceError of the kind `unavailable` when the group-node is away or has too much to do
   */
  async of(group: number, blockHash: Hash, txId: Hash): Promise<ScriptFailure | undefined> {
    const name = `${blockHash} ${txId}`;
    const known = this.kept.get(name);
    if (known) return known;
    const failure = await this.ask(group, blockHash, txId);
    if (failure) this.kept.set(name, failure);
    boundSize(this.kept, mostKept);
    return failure;
  }

  private async ask(group: number, blockHash: Hash, txId: Hash): Promise<ScriptFailure | undefined> {
    try {
      const reply = await this.groupNodes.request(group, 'read.transaction.failure', { blockHash, txId });
      return reply.failure ?? undefined;
    } catch (error) {
      throw asAnswer(error, txId, group);
    }
  }
}
