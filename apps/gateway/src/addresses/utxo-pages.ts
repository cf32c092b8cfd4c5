import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { timestampForm } from '@shardnode/http';
import { GroupClient, type GroupRequests, type UtxoItem } from '@shardnode/messages';
import { joinedJson } from '../operations/joined-json.js';
import { largestPage, type Utxos } from './addresses.schemas.js';
import { largeAnswers } from './large-answers.js';
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
const utxosText = (texts: readonly string[]): string => `{"utxos":[${texts.join(',')}]}`;

/** Owner of the requested outputs, and its group. */
export interface UtxoOwner {
  readonly group: number;
  /** Encoded, hexadecimal. */
  readonly lockupScript: string;
}

/** JSON of outputs. */
export interface UtxosText {
  readonly text: string;
  /** Call it when the text is no longer needed: its client has received it, or has closed the connection. */
  readonly release?: () => void;
}

/** Outputs from which on a page is a large response, and always has more than one message. */
const largePage = 10_000;

/** Reads the unspent outputs of an address: all, or one page, in as many messages as needed. */
@Injectable()
export class UtxoPages {
  private readonly large = largeAnswers();

  constructor(private readonly groups: GroupClient) {}

  async read(
    owner: UtxoOwner,
    { offset = 0, limit }: { offset?: number | undefined; limit?: number | undefined },
  ): Promise<UtxosText> {
    return limit === undefined && offset === 0 ? this.all(owner) : this.page(owner, offset, limit ?? largestPage);
  }

  private async all({ group, lockupScript }: UtxoOwner): Promise<UtxosText> {
    const { utxos, more } = await this.groups.request(group, 'read.address.utxos', { lockupScript });
    if (!more) return { text: utxosText(utxos.map(textOfUtxo)) };
    return this.largeText(async () => utxosText(await walkedTexts(this.groups, { group, lockupScript }, textOfUtxo)));
  }

  private async page({ group, lockupScript }: UtxoOwner, offset: number, limit: number): Promise<UtxosText> {
    const step = (from: number): Promise<GroupRequests['read.address.utxos']['reply']> =>
      this.groups.request(group, 'read.address.utxos', { lockupScript, offset: offset + from, limit: limit - from });
    const first = await step(0);
    const make = async (): Promise<string> => {
      const found = [...first.utxos];
      for (let more = first.more; more && found.length < limit;) {
        const reply = await step(found.length);
        found.push(...reply.utxos);
        more = reply.utxos.length > 0 ? reply.more : undefined;
      }
      const warning = found.length === limit ? ',"warning":"Result might not contains all utxos"' : '';
      return `{"utxos":${await joinedJson(found, textOfUtxo)}${warning}}`;
    };
    return first.more && limit > largePage ? this.largeText(make) : { text: await make() };
  }

  /** A text that holds a permit for large responses until it is released. */
  private async largeText(make: () => Promise<string>): Promise<UtxosText> {
    const release = await this.large.acquire();
    try {
      return { text: await make(), release };
    } catch (error) {
      release();
      throw error;
    }
  }
}
