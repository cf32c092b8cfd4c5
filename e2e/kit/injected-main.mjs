/**
 * Starts a program of the build with a clock and crash points of the tests: node e2e/kit/injected-main.mjs apps/group-node/dist/main.js
 *
 * CLOCK_OFFSET_FILE: file with the milliseconds that are added to the wall clock, read again and again.
 * HEAP_FILE, HEAP_EVERY_MS: file that gets what is left in memory after a collection, see `libs/testing/src/heap-samples`.
 * CRASH_AT: place where a group-node kills itself, see `libs/testing/src/crash-points`.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clockFromFile } from '@shardnode/testing/clocks';
import { crashPointAt } from '@shardnode/testing/crash-points';
import { sampleHeap } from '@shardnode/testing/heap-samples';

// The program finds its own arguments where it would without this.
process.argv.splice(1, 1);
const { CLOCK_OFFSET_FILE: clockFile, CRASH_AT: place, HEAP_FILE: heapFile, HEAP_EVERY_MS: heapEvery } = process.env;
delete process.env.CLOCK_OFFSET_FILE;
delete process.env.CRASH_AT;
delete process.env.HEAP_FILE;
delete process.env.HEAP_EVERY_MS;

if (heapFile !== undefined) sampleHeap(heapFile, Number(heapEvery));

const { serve } = await import(new URL('./serve.js', pathToFileURL(resolve(process.argv[1]))).href);
await serve({
  ...(clockFile === undefined ? {} : { clock: clockFromFile(clockFile) }),
  crashPoint: crashPointAt(place),
  crashPointOf: () => crashPointAt(place),
});
