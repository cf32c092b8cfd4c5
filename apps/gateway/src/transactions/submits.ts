import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { GroupClient } from '@shardnode/messages';
import { encode } from '@shardnode/protocol/encoding';
import { chainIndexOf, transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { SubmitQueues } from '../admission/submit-queues.js';
import { ApiSettings } from '../settings/api-settings.js';
import { TransactionPlaces } from './transaction-places.js';
import { type SubmitResult } from './transactions.schemas.js';
import { readUnsignedTransaction } from './unsigned-transaction.js';

/** Sends signed transactions to the groups of their inputs (protocol 07 §8.4). */
@Injectable()
export class Submits {
  constructor(
    private readonly groups: GroupClient,
    private readonly queues: SubmitQueues,
    private readonly places: TransactionPlaces,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Submits a transaction and caches its group for later queries.
   *
   * @param unsignedTx hexadecimal
   * @param inputSignatures of 64 bytes each
   * @throws ServiceError for bytes that are no transaction, without a request to the group; the refusal of the group;
   * `QueueFull`
   */
  async submit(unsignedTx: string, inputSignatures: readonly Uint8Array[]): Promise<z.output<typeof SubmitResult>> {
    const unsigned = readUnsignedTransaction(unsignedTx);
    const payload = { template: encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] }) };
    const { from: group, to: toGroup } = chainIndexOf(unsigned, this.settings.network.groups)!;
    await this.queues.through(group, payload, (deadlineMs) =>
      this.groups.request(group, 'command.mempool.submit', payload, { deadlineMs }),
    );
    // Its own id: with that of a group-node somebody could be led to pay again.
    const txId = transactionId(unsigned);
    await this.places.remember(txId, group);
    return { txId, fromGroup: group, toGroup };
  }
}
