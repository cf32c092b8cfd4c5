/** The thread that runs PGlite: answers each batch of messages with one byte sequence, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/** Data passed by the starter. */
interface PgliteThreadData {
  readonly dataDir: string;
  readonly startParams: string[];
}

/** First `opened`, then one reply per request. */
export type PgliteThreadReply =
  | { readonly kind: 'opened' | 'closed' }
  | { readonly kind: 'answers'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly reason: string };

/** Messages of the wire protocol, or a request to close. */
export type PgliteThreadRequest = Uint8Array | 'close';

const port = parentPort!;
const reply = (message: PgliteThreadReply, bytes?: Uint8Array): void =>
  port.postMessage(message, bytes && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : []);
const failed = (error: unknown): void =>
  reply({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });

const exchange = async (pglite: PGlite, messages: Uint8Array): Promise<void> => {
  const answers: Uint8Array[] = [];
  await pglite.execProtocolRawStream(messages, { onRawData: (data) => void answers.push(data.slice()) });
  const bytes = answers.length === 1 ? answers[0]! : new Uint8Array(Buffer.concat(answers));
  reply({ kind: 'answers', bytes }, bytes);
};

const serve = async (): Promise<void> => {
  const pglite = await PGlite.create(workerData as PgliteThreadData);
  port.on('message', (request: PgliteThreadRequest) => {
    const work = request === 'close' ? pglite.close().then(() => reply({ kind: 'closed' })) : exchange(pglite, request);
    work.catch(failed);
  });
  reply({ kind: 'opened' });
};

serve().catch(failed);
