import { Worker } from 'node:worker_threads';
import { type PgliteEngine, pgliteOptions } from './pglite-engine.js';
import { type PgliteThreadReply, type PgliteThreadRequest } from './pglite-thread.js';

/**
 * The engine on its own thread: a statement costs the event loop one message each way (some 30 µs) instead of its whole
 * time, and uses a second core.
 * @param script the built `pglite-thread.js`
 */
export const openThreadEngine = async (
  dataDir: string,
  script: string,
  bufferMegabytes?: number,
): Promise<PgliteEngine> => {
  const worker = new Worker(script, { workerData: pgliteOptions(dataDir, bufferMegabytes), execArgv: [] });
  const waiting: { readonly resolve: (reply: PgliteThreadReply) => void; readonly reject: (error: Error) => void }[] =
    [];
  let broken: Error | undefined;
  const fail = (error: Error): void => {
    broken ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (reply: PgliteThreadReply) => {
    if (reply.kind === 'failed') fail(new Error(reply.reason));
    else waiting.shift()?.resolve(reply);
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread of the database has ended')));
  const reply = (): Promise<PgliteThreadReply> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  const ask = (request: PgliteThreadRequest): Promise<PgliteThreadReply> => {
    if (broken) return Promise.reject(broken);
    const answer = reply();
    worker.postMessage(request, request === 'close' ? [] : [request.buffer as ArrayBuffer]);
    return answer;
  };
  await reply();
  return {
    exchange: async (messages) => {
      // The driver reuses its buffers: the thread gets a copy, which is transferred without another copy.
      const answer = await ask(new Uint8Array(messages));
      if (answer.kind !== 'answers') throw new Error(`the thread of the database answered ${answer.kind}`);
      return Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
    },
    close: async () => {
      await ask('close');
      await worker.terminate();
    },
  };
};
