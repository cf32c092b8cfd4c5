import { type Readable } from 'node:stream';
import { Controller, Delete, Get, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { errorOf } from '@shardnode/http';
import { allGroups, firstGroup, GroupClient } from '@shardnode/messages';
import { Operation } from '../operations/operation.js';
import { MempoolTransactions, RebroadcastQuery } from './mempool.schemas.js';
import { PendingTransactions } from './pending-transactions.js';

/** Protocol 07 §12. */
@ApiTags('Mempool')
@Controller('mempool/transactions')
export class MempoolController {
  constructor(
    private readonly groups: GroupClient,
    private readonly pending: PendingTransactions,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Pending transactions',
    description: 'By chain; in the order in which the next blocks take them.',
    answer: MempoolTransactions,
  })
  @Get()
  list(@Res({ passthrough: true }) reply: FastifyReply): Promise<string | Readable> {
    return this.pending.json(reply);
  }

  @Operation({ role: 'operate', summary: 'Announce a pending transaction again', codes: ['TransactionNotFound'] })
  @Put('rebroadcast')
  async rebroadcast(@Query({ schema: RebroadcastQuery }) { txId }: z.output<typeof RebroadcastQuery>): Promise<void> {
    if (await firstGroup(this.groups, 'command.mempool.rebroadcast', { txId })) return;
    throw errorOf(
      'TransactionNotFound',
      `Transaction ${txId} does not wait in the mempool. Its status tells whether it is mined.`,
      { resource: `TxId: ${txId}` },
    );
  }

  @Operation({
    role: 'operate',
    summary: 'Remove pending transactions that are no longer valid',
    description: 'Each is judged as if it came now. The status of those that leave tells why, for a day.',
  })
  @Put('validate')
  async validate(): Promise<void> {
    await allGroups(this.groups, 'command.mempool.validate', {});
  }

  @Operation({
    role: 'operate',
    summary: 'Remove all pending transactions',
    description: 'The stored ones too: a restart brings none back. They can be submitted again.',
  })
  @Delete()
  async clear(): Promise<void> {
    await allGroups(this.groups, 'command.mempool.clear', {});
  }
}
