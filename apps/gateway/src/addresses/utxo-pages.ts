import { type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { timestampForm } from '@shardnode/http';
import { GroupClient, type GroupRequests, type UtxoItem } from '@shardnode/messages';
import { LargeAnswers } from '../large-answers/large-answers.js';
import { largestPage, type Utxos } from './addresses.schemas.js';
import { walkedTexts } from './output-walk.js';

export type UtxosAnswer = z.output<typeof Utxos>;

const utxoForm = ({ hint, key, amount, tokens, lockTime, additionalData }: UtxoItem): UtxosAnswer['utxos'][number] => ({
  ref: { hint, key },
  amount,
  ...(tokens.length > 0 ? { tokens: [...tokens] } : {}),
  lockTime: timestampForm(BigInt(lockTime)),
  additionalData,
});
const textOfUtxo = (utxo: UtxoItem): string => JSON.stringify(utxoForm(utxo));

/** Owner of the requested outputs, and its group. */
export interface UtxoOwner {
  readonly group: number;
  /** Encoded, hexadecimal. */
  readonly lockupScript: string;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Outputs from which on a page is a large response, and always has more than one message. */
const largePage = 10_000;
const warning = '"Result might not contains all utxos"';

/** Lists of texts with commas between, as one list in an object. */
const asObject = async function* (
  lists: AsyncIterable<string> | Iterable<string>,
  end: () => string,
): AsyncGenerator<string> {
  let before = '{"utxos":[';
  for await (const list of lists) {
    yield before + list;
    before = ',';
    await yieldToEventLoop();
  }
  yield `${before === ',' ? '' : before}]${end()}}`;
};

const collected = async (pieces: AsyncIterable<string>): Promise<string> => {
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return texts.join('');
};

/**
 * Reads the unspent outputs of an address: all, or one page, in as many messages as needed. A large answer is sent in
 * pieces, and never whole in memory.
 */
@Injectable()
export class UtxoPages {
  constructor(
    private readonly groups: GroupClient,
    private readonly large: LargeAnswers,
  ) {}

  async read(
    owner: UtxoOwner,
    { offset = 0, limit }: { offset?: number | undefined; limit?: number | undefined },
    reply: FastifyReply,
  ): Promise<string | Readable> {
    return limit === undefined && offset === 0
      ? this.all(owner, reply)
      : this.page(owner, { offset, limit: limit ?? largestPage }, reply);
  }

  private async all({ group, lockupScript }: UtxoOwner, reply: FastifyReply): Promise<string | Readable> {
    const { utxos, more } = await this.groups.request(group, 'read.address.utxos', { lockupScript });
    if (!more) return `{"utxos":[${utxos.map(textOfUtxo).join(',')}]}`;
    const { proceed, stream } = await this.large.hold(reply);
    const walk = { textOf: textOfUtxo, proceed: () => proceed() };
    return stream(asObject(await walkedTexts(this.groups, { group, lockupScript }, walk), () => ''));
  }

  private async page(owner: UtxoOwner, { offset, limit }: Page, reply: FastifyReply): Promise<string | Readable> {
    const { group, lockupScript } = owner;
    const step = (from: number): Promise<GroupRequests['read.address.utxos']['reply']> =>
      this.groups.request(group, 'read.address.utxos', { lockupScript, offset: offset + from, limit: limit - from });
    const first = await step(0);
    let found = 0;
    const lists = async function* (): AsyncGenerator<string> {
      for (let next: typeof first | undefined = first; next && next.utxos.length > 0;) {
        found += next.utxos.length;
        yield next.utxos.map(textOfUtxo).join(',');
        next = next.more && found < limit ? await step(found) : undefined;
      }
    };
    const pieces = asObject(lists(), () => (found === limit ? `,"warning":${warning}` : ''));
    if (!first.more || limit <= largePage) return collected(pieces);
    return (await this.large.hold(reply)).stream(pieces);
  }
}
