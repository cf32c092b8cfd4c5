import { JsonText } from '../endpoint/endpoint.js';
import { type Plan } from '../endpoint/plans.js';
import { type NearFirst } from './near-first.js';

/** Larger answers would crowd out too many others, and slow down the shared cache for everybody. */
const largestBytes = 1024 * 1024;

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Ready-made bytes of answers that can no longer change (architecture, decision 16): content that a hash names, and nothing
 * that depends on what else is known, as being on the main chain or a number of confirmations do.
 */
export class UnchangingAnswers {
  constructor(
    private readonly caches: NearFirst,
    /** Of all that shapes an answer: network, brand, profile, version. */
    private readonly fingerprint: string,
  ) {}

  /**
   * The plan, asked only for what is not remembered. Only answers are remembered: errors, a 404 among them, may change.
   * @param name of the endpoint, without a colon
   */
  planned<Input, Answer>(
    name: string,
    hashOf: (input: Input) => string,
    plan: Plan<Input, Answer>,
  ): Plan<Input, JsonText> {
    return {
      kind: plan.kind,
      prepare: (input) => {
        const asking = plan.prepare(input);
        const key = `answer:${this.fingerprint}:${name}:${hashOf(input)}`;
        return async (clients) => {
          const known = await this.caches.fact(key);
          if (known) return new JsonText(asBuffer(known));
          const made = Buffer.from(JSON.stringify(await asking(clients)));
          if (made.length <= largestBytes) await this.caches.remember(key, made);
          return new JsonText(made);
        };
      },
    };
  }
}
