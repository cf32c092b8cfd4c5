import { afterEach, describe, expect, it } from '@jest/globals';
import { pathToFileURL } from 'node:url';
import { builtProgram } from '@shardnode/testing/built-program';
import { type CompileJob, type CompileOutcome } from '../../src/contracts/compiling/compile-job.js';
import { compileLimits } from '../../src/contracts/compiling/compiling.js';
import { type CompileLimits, CompileThread } from '../../src/contracts/compiling/compile-thread.js';
import { sourceExamples } from '../../src/contracts/compiling/source-examples.js';

/** Threads run the build. */
const builtWorker = pathToFileURL(builtProgram('gateway', 'contracts/compiling/compile-worker.js'));

const job = (source: string): CompileJob => ({ operation: 'contract', source, options: {}, version: 'v1' });
const good = job(sourceExamples.contract);

/** Each level of a computed index of a part of a field doubles the code of those inside it. */
const doubling = (levels: number): string => (levels === 0 ? 'i' : `g(y[${doubling(levels - 1)}])`);

/** Functions that are just small enough, one after the other. */
const costly = (functions: number, statements: number): CompileJob =>
  job(
    `Contract Foo() {\n${Array.from(
      { length: functions },
      (_, i) =>
        `pub fn f${i}(a: U256) -> U256 {\nlet mut x = a\n${Array.from({ length: statements }, () => 'x = x + a * 2 - 1').join('\n')}\nreturn x\n}`,
    ).join('\n')}\n}`,
  );

let thread: CompileThread | undefined;
const open = (limits: Partial<CompileLimits> = {}): CompileThread =>
  (thread = new CompileThread(builtWorker, { ...compileLimits, ...limits }));
afterEach(() => thread?.close());

const nameOf = (outcome: CompileOutcome): unknown =>
  outcome.kind === 'compiled' ? (JSON.parse(outcome.json) as { name: string }).name : outcome;

describe('the thread of the compiler', () => {
  it('compiles one source after the other', async () => {
    const opened = open();
    expect(nameOf(await opened.compile(good))).toBe('Counter');
    expect(await opened.compile(job('Contract'))).toMatchObject({ kind: 'rejected' });
    expect(nameOf(await opened.compile(good))).toBe('Counter');
  });

  it('gives up a source that takes too long, and compiles the next one', async () => {
    const bounded = open({ processorMs: 50 });
    expect(await bounded.compile(costly(60, 150))).toEqual({ kind: 'exceeded', bound: 'time' });
    expect(nameOf(await bounded.compile(good))).toBe('Counter');
  });

  it('gives up a source that takes too much memory, and compiles the next one', async () => {
    const bounded = open({ heapMb: 24, processorMs: 60_000, elapsedMs: 60_000 });
    const large = `Contract Foo(mut y: [[U256; 2]; 2]) {
      pub fn f(i: U256) -> U256 { y[0][0] = 0 return ${doubling(15)} }
      fn g(pair: [U256; 2]) -> U256 { return pair[0] }
    }`;
    expect(await bounded.compile(job(large))).toEqual({ kind: 'exceeded', bound: 'memory' });
    expect(nameOf(await bounded.compile(good))).toBe('Counter');
  });

  it('ends a job that gets no processor time', async () => {
    const bounded = open({ elapsedMs: 1 });
    expect(await bounded.compile(costly(60, 150))).toEqual({ kind: 'starved' });
  });

  it('compiles 200 levels of nesting', async () => {
    const nested = `${'('.repeat(195)}1${')'.repeat(195)}`;
    expect(nameOf(await open().compile(job(`Contract Foo() { pub fn f() -> U256 { return ${nested} } }`)))).toBe('Foo');
  });
});
