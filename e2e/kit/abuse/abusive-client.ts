import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StartedProcess, startProcess } from '../child-process.js';

const program = join(dirname(fileURLToPath(import.meta.url)), 'abusive-process.mjs');

/** By attack. */
type AbuseReport = Readonly<
  Record<
    string,
    {
      readonly tried: number;
      /** How often each status came back; `gone`: the connection was closed without one. */
      readonly statuses: Readonly<Record<string, number>>;
    }
  >
>;

/** An address of this machine other than that of the tests. */
const abusiveAddress = '127.0.0.2';

export interface AbusiveClient {
  /** Settled when its time is over. */
  readonly report: Promise<AbuseReport>;
  stop(): void;
}

/** A client that does everything at once that a server must bear; in a process of its own. */
export const startAbusiveClient = (baseUrl: string, seconds: number): AbusiveClient => {
  const child: StartedProcess = startProcess(
    process.execPath,
    [program, baseUrl, String(seconds), abusiveAddress],
    {},
    dirname(program),
  );
  const report = child
    .line((line) => line.startsWith('{'), (seconds + 60) * 1_000)
    .then((line) => JSON.parse(line) as AbuseReport);
  // Who stops it early does not read it.
  report.catch(() => undefined);
  return { report, stop: () => child.signal('SIGKILL') };
};
