import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type ClusterProcess } from '../cluster/cluster-process.js';
import { waitFor } from '../wait-for.js';
import { type Finding, type SecretSearch } from './secret-search.js';

/** Settings of a process whose garbage `collectGarbage` collects: its debugger takes any port, once it is woken. */
export const withDebugger = { NODE_OPTIONS: '--inspect-port=0' };

/** Bytes read at once, and bytes that neighbours share: no pattern is longer. */
const [pieceBytes, sharedBytes] = [1024 * 1024, 4_096];
const noBytes = Buffer.alloc(pieceBytes);

interface Region {
  readonly start: number;
  readonly end: number;
}

/** What the process may write to; the rest is programs and files. */
const writableRegions = (pid: number): Region[] =>
  readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      return start === undefined || end === undefined ? [] : [{ start: parseInt(start, 16), end: parseInt(end, 16) }];
    });

/** Bytes of the piece that begins there; 0 when the region is gone. */
const read = (file: number, piece: Buffer, at: number, end: number): number => {
  try {
    return readSync(file, piece, 0, Math.min(piece.length, end - at), at);
  } catch {
    return 0;
  }
};

/** The secrets in the memory of a process, which runs on meanwhile, and so do the proxies of the test. */
export const secretsInMemory = async (pid: number, search: SecretSearch): Promise<readonly Finding[]> => {
  const found = new Map<string, Finding>();
  const piece = Buffer.alloc(pieceBytes);
  const file = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const { start, end } of writableRegions(pid)) {
      for (let at = start; at < end; at += pieceBytes - sharedBytes) {
        const length = read(file, piece, at, end);
        // Most of what is reserved was never written.
        if (piece.compare(noBytes, 0, length, 0, length) === 0) continue;
        await nextTurn();
        for (const one of search.find(piece.subarray(0, length))) found.set(`${one.name} ${one.form}`, one);
      }
    }
  } finally {
    closeSync(file);
  }
  return [...found.values()];
};

/** Has the process, which has the settings `withDebugger`, collect its garbage now. */
export const collectGarbage = async (service: ClusterProcess): Promise<void> => {
  process.kill(service.pid!, 'SIGUSR1');
  const url = await waitFor('the debugger to listen', () => {
    const told = [...service.log().matchAll(/Debugger listening on (ws:\/\/\S+)/g)];
    return Promise.resolve(told.at(-1)?.[1]);
  });
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  for (const [id, method] of ['HeapProfiler.enable', 'HeapProfiler.collectGarbage'].entries()) {
    const answered = new Promise((resolve) => socket.once('message', resolve));
    socket.send(JSON.stringify({ id, method }));
    await answered;
  }
  socket.close();
};
