import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type CompileJob, type FromCompileThread } from './compile-job.js';
import { compile } from './compile.js';

/** Code of a thread that compiles sources, one after the other. */

/** Requests of other clients go first: on Linux a thread has a priority of its own. */
const lowPriority = 10;
const isLinux = process.platform === 'linux';
if (isLinux) setPriority(lowPriority);

/** `<process>/task/<thread>`; on other systems nobody measures the processor time of a thread. */
const task = isLinux ? readlinkSync('/proc/thread-self') : undefined;

const post = (message: FromCompileThread): void => parentPort?.postMessage(message);

parentPort?.on('message', (job: CompileJob) => {
  post({ kind: 'begun', task });
  try {
    post(compile(job));
  } catch (error) {
    post({ kind: 'fault', why: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
