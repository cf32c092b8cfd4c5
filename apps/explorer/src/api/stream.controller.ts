import { type OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { countNoLonger } from '@shardnode/core/http-limits';
import { type Leaf, list, optional, plainText, required } from '@shardnode/http';
import { LiveStream } from '../live/live-stream.js';
import { type StreamTopic, streamTopics } from '../live/stream-client.js';
import { Operation } from './operation.js';
import { addressText, parametersOf } from './parameters.js';

/** Addresses that one client may watch. */
const mostAddresses = 10;

const topics: Leaf<ReadonlySet<StreamTopic>> = {
  expects: `some of ${streamTopics.join(', ')}, with commas between`,
  read: (raw) => {
    const words = typeof raw === 'string' ? raw.split(',') : [];
    const known = streamTopics.filter((topic) => words.includes(topic));
    return words.length > 0 && words.every((word) => known.some((topic) => topic === word))
      ? new Set(known)
      : undefined;
  },
  meaning: {
    description: `Some of ${streamTopics.map((topic) => `\`${topic}\``).join(', ')}, with commas between; default \`blocks,stats\``,
    example: 'blocks,stats',
    type: 'string',
    format: 'text',
    maxLength: 100,
  },
};
const StreamQuery = parametersOf({
  topics: optional(topics),
  address: z
    .preprocess(
      (raw) => (raw === undefined ? raw : [raw].flat()),
      list(required(addressText), 'addresses to watch; repeatable', { most: mostAddresses }).optional(),
    )
    .optional(),
});
const Events = plainText('Events with `event:`, `id:` and `data:`', 'event: hello\ndata: {"groups":4}\n');

/** protocol 08 §6 */
@ApiTags('Stream')
@Controller('stream')
export class StreamController {
  constructor(private readonly stream: LiveStream) {}

  @Operation({
    summary: 'Live stream of events (server-sent events)',
    description: `For \`EventSource\` and every other client of server-sent events. The data of each event are JSON.

- \`hello\`: epoch, groups, \`blockTargetTimeMs\`, \`coinSymbol\`, \`serverTime\`.
- \`snapshot\`: heads and first blocks of all chains, the 20 newest blocks, \`pendingCount\`, stats; not after a reconnection whose missed
  events are still there.
- \`block\`: a block of a main chain. \`reorg\`: the top of a chain was replaced; its blocks get no \`block\`.
- \`pending\`: transactions that wait now, and no longer; \`overflow\` instead of more than 200.
- \`stats\`: totals, every 10 s.
- \`address\`: a transaction of a watched address is \`pending\`, \`confirmed\` (in a block) or \`reverted\` (no longer in it).
- \`alive\`: \`serverTime\`, every 15 s. After 40 s without any event the connection is dead: open it again.

The id of an event as \`Last-Event-ID\` leads on from it: nothing is missed. When there are too many
clients the answer is 503 with \`Retry-After\`; 429 when one address has a tenth of all places: programs of one machine share
a stream, or poll.`,
    answer: Events,
    mediaType: 'text/event-stream',
  })
  @Get()
  async events(
    @Query({ schema: StreamQuery }) { topics: chosen, address }: z.output<typeof StreamQuery>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { ip } = request;
    this.stream.admit(ip);
    // Of the server itself, so that an event is made once for all clients and a slow client shows in its buffer.
    reply.hijack();
    const response = reply.raw;
    reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    response.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    if (request.method === 'HEAD') return void response.end();
    countNoLonger(response);
    const listening = {
      topics: chosen ?? new Set<StreamTopic>(['blocks', 'stats']),
      addresses: new Set(address ?? []),
    };
    await this.stream.serve(response, ip, listening, lastEventId);
  }
}
