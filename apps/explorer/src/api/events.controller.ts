import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { optional } from '@shardnode/http';
import { type EventAnswer, Events } from '../answers/events.js';
import { type EventFilter, eventsOfTransaction, listEvents } from '../reads/event-reads.js';
import { Reads } from '../database/reads.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';
import {
  cursorParameters,
  EmitterInputPath,
  EmitterPath,
  InputPath,
  integer,
  itemsOf,
  pageOf,
  parametersOf,
  TransactionIdPath,
} from './parameters.js';

const EventsQuery = parametersOf({
  event_index: optional(integer('Only events with this number; negative: events of the node', 0)),
  ...cursorParameters(2),
});
const AnyEventsQuery = parametersOf(cursorParameters(2));
type Cursor = z.output<typeof AnyEventsQuery>;

/** protocol 08 §5.8 */
@ApiTags('Events')
@Controller('contract-events')
export class EventsController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
  ) {}

  @Operation({ summary: 'Events of a transaction', answer: Events })
  @Get('transaction-id/:transaction_id')
  ofTransaction(
    @Param({ schema: TransactionIdPath }) { transaction_id: hash }: z.output<typeof TransactionIdPath>,
  ): Promise<EventAnswer[]> {
    return this.reads.of((snapshot) => eventsOfTransaction(snapshot, hash));
  }

  @Operation({ summary: 'Events of a contract, newest block first', answer: Events, hasCursor: true })
  @Get('contract-address/:contract_address')
  ofContract(
    @Param({ schema: EmitterPath }) { contract_address: contract }: z.output<typeof EmitterPath>,
    @Query({ schema: EventsQuery }) { event_index: eventIndex, ...query }: z.output<typeof EventsQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly EventAnswer[]> {
    return this.list({ contract, eventIndex }, query, reply);
  }

  @Operation({
    summary: 'Events of a contract in transactions of an address, newest block first',
    answer: Events,
    hasCursor: true,
  })
  @Get('contract-address/:contract_address/input-address/:input_address')
  ofContractAndInput(
    @Param({ schema: EmitterInputPath })
    { contract_address: contract, input_address: inputAddress }: z.output<typeof EmitterInputPath>,
    @Query({ schema: EventsQuery }) { event_index: eventIndex, ...query }: z.output<typeof EventsQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly EventAnswer[]> {
    return this.list({ contract, inputAddress, eventIndex }, query, reply);
  }

  @Operation({
    summary: 'Events of all contracts in transactions of an address, newest block first',
    description: 'Those whose inputs are all of this address, so that it asked for what the contracts did.',
    answer: Events,
    hasCursor: true,
  })
  @Get('input-address/:input_address')
  ofInput(
    @Param({ schema: InputPath }) { input_address: inputAddress }: z.output<typeof InputPath>,
    @Query({ schema: AnyEventsQuery }) query: Cursor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly EventAnswer[]> {
    return this.list({ inputAddress }, query, reply);
  }

  private async list(filter: EventFilter, query: Cursor, reply: FastifyReply): Promise<readonly EventAnswer[]> {
    const page = pageOf(query, this.settings);
    const part = await this.reads.of((snapshot) => listEvents(snapshot, filter, page));
    return itemsOf(part, reply);
  }
}
