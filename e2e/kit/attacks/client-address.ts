import { request as httpRequest } from 'node:http';

/** A response whose body was received and thrown away. */
export interface DiscardedAnswer {
  readonly status: number;
  readonly bytes: number;
  /** Whole, of a refusal; empty for 200. */
  readonly refusal: string;
}

/** An address of this machine other than that of the bystander. */
const attacker = '127.0.0.2';

/** A GET of another client, whose answers do not stay in the memory of the test. */
export const getAsAttacker = (url: string): Promise<DiscardedAnswer> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { localAddress: attacker, agent: false }, (incoming) => {
      const status = incoming.statusCode ?? 0;
      let bytes = 0;
      let refusal = '';
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (status !== 200) refusal += chunk.toString();
      });
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status, bytes, refusal }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
