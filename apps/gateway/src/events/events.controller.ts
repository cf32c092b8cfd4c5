import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { type ServiceError } from '@shardnode/core/errors';
import {
  chainOfBlockHash,
  firstGroup,
  GroupClient,
  groupOfContractId,
  groupOfScript,
  mostBytesOfBlocks,
} from '@shardnode/messages';
import { noEventsOf } from '../contracts/contract-errors.js';
import { LargeAnswers } from '../large-answers/large-answers.js';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { checkRange, mostEntries } from './entry-range.js';
import { eventsJson, eventsOfBlockTooMany, tooManyEvents } from './events-json.js';
import { eventOfBlockForm, eventOfContractForm, eventOfTransactionForm } from './event-forms.js';
import {
  BlockEvents,
  BlockEventsPath,
  ContractEvents,
  ContractEventsPath,
  ContractEventsQuery,
  EventCount,
  EventsGroupQuery,
  TransactionEvents,
  TransactionEventsPath,
} from './events.schemas.js';

type ContractPath = z.output<typeof ContractEventsPath>;
type GroupQuery = z.output<typeof EventsGroupQuery>;

/** Protocol 07 §11. */
@ApiTags('Events')
@Controller('events')
export class EventsController {
  private readonly groupCount: number;

  constructor(
    { network }: ApiSettings,
    private readonly groups: GroupClient,
    private readonly large: LargeAnswers,
  ) {
    this.groupCount = network.groups;
  }

  @Operation({
    role: 'read',
    summary: 'Events of a contract',
    description: 'In pages of entries: an entry holds the events of the contract in one block.',
    answer: ContractEvents,
    codes: ['InvalidInterval', 'AnswerTooLarge'],
  })
  @Get('contract/:contractAddress')
  async contractEvents(
    @Param({ schema: ContractEventsPath }) { contractAddress: { text, lockupScript } }: ContractPath,
    @Query({ schema: ContractEventsQuery }) query: z.output<typeof ContractEventsQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | z.output<typeof ContractEvents>> {
    checkRange(query);
    const { start, limit = mostEntries } = query;
    const group = groupOfScript(lockupScript, this.groupCount);
    if (group === undefined) return { events: [], nextStart: start };
    const page = { contractId: lockupScript.contractId, start, limit };
    const tooMany = (): ServiceError =>
      tooManyEvents(
        `${limit} entries of the contract ${text}`,
        'fewer with a smaller limit, or those of each transaction, GET /events/tx-id/{txId}',
      );
    const { events, nextStart } = await this.large.read(
      reply,
      (maxBytes = mostBytesOfBlocks) => this.groups.request(group, 'read.events.contract', { ...page, maxBytes }),
      tooMany,
    );
    return `{"events":${await eventsJson(events, eventOfContractForm, tooMany)},"nextStart":${nextStart}}`;
  }

  @Operation({
    role: 'read',
    summary: 'Number of entries of a contract',
    answer: EventCount,
    codes: ['ContractNotFound'],
  })
  @Get('contract/:contractAddress/current-count')
  async entryCount(@Param({ schema: ContractEventsPath }) { contractAddress }: ContractPath): Promise<number> {
    const { contractId } = contractAddress.lockupScript;
    const group = groupOfContractId(contractId, this.groupCount);
    if (group === undefined) throw noEventsOf(contractAddress, this.groupCount);
    const { count } = await this.groups.request(group, 'read.events.count', { contractId });
    if (count === 0) throw noEventsOf(contractAddress, this.groupCount);
    return count;
  }

  @Operation({ role: 'read', summary: 'Events of a transaction', answer: TransactionEvents })
  @Get('tx-id/:txId')
  async transactionEvents(
    @Param({ schema: TransactionEventsPath }) { txId }: z.output<typeof TransactionEventsPath>,
    @Query({ schema: EventsGroupQuery }) _query: GroupQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    // Only one group runs the script of a transaction: that of its sender.
    const found = await this.large.read(reply, (maxBytes) =>
      firstGroup(this.groups, 'read.events.transaction', { txId, maxBytes }, ({ events }) => events.length > 0),
    );
    return `{"events":${await eventsJson(found?.reply.events ?? [], eventOfTransactionForm)}}`;
  }

  @Operation({ role: 'read', summary: 'Events of a block', answer: BlockEvents, codes: ['AnswerTooLarge'] })
  @Get('block-hash/:blockHash')
  async blockEvents(
    @Param({ schema: BlockEventsPath }) { blockHash: hash }: z.output<typeof BlockEventsPath>,
    @Query({ schema: EventsGroupQuery }) _query: GroupQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { from } = chainOfBlockHash(hash, this.groupCount);
    const tooMany = eventsOfBlockTooMany(hash);
    const { events } = await this.large.read(
      reply,
      (maxBytes = mostBytesOfBlocks) => this.groups.request(from, 'read.events.block', { hash, maxBytes }),
      tooMany,
    );
    return `{"events":${await eventsJson(events, eventOfBlockForm, tooMany)}}`;
  }
}
