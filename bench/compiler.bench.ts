/** The compiler of the contract language, in one process: the sources of the vectors, and one project as long as a request may be. */
import { CompileError, compileContract, compileProject, compileScript, formatError } from '@shardnode/compiler';
import { readVectorBytes, readVectors } from '@shardnode/testing/vectors';
import { median } from '@shardnode/testing/statistics';
import { counted, isShort, printRows, type Row, seconds } from './rows.js';

const operations = {
  'compile-contract': compileContract,
  'compile-script': compileScript,
  'compile-project': compileProject,
};

interface Work {
  readonly operation: keyof typeof operations;
  readonly source: string;
}

const accepted: readonly Work[] = readVectors<{
  cases: readonly { operation: Work['operation']; source_file: string }[];
}>('compiler/expected.json')
  .cases.filter(({ operation }) => operation in operations)
  .map(({ operation, source_file: name }) => ({
    operation,
    source: new TextDecoder().decode(readVectorBytes(`compiler/${name}`)),
  }));

const rejected: readonly Work[] = readVectors<{ cases: readonly { operation: Work['operation']; code: string }[] }>(
  'compiler/errors.json',
).cases.map(({ operation, code }) => ({ operation, source: code }));

const compile = ({ operation, source }: Work): void => {
  try {
    operations[operation](source);
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    formatError(source, error);
  }
};

/** Microseconds of the processor. */
const processorTime = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** Rounds over all sources after a warm-up, by the processor time of the process. */
const rateRow = (row: string, work: readonly Work[], bar: string | undefined): Row => {
  const round = (): void => work.forEach(compile);
  for (let warmUp = 0; warmUp < (isShort ? 5 : 100); warmUp++) round();
  let [rounds, time] = [0, 0];
  while (time < seconds * 1e6) {
    time += processorTime(round);
    rounds += 1;
  }
  const perSecond = (amount: number): number => (amount * rounds * 1e6) / time;
  const characters = work.reduce((sum, { source }) => sum + source.length, 0);
  return {
    row,
    figure: counted(perSecond(work.length), 'sources/s'),
    ...(bar === undefined ? {} : { bar }),
    beside: `${(perSecond(characters) / 1e6).toFixed(2)} MB/s`,
  };
};

const longest = 256_000;

/** The faucet of the vectors again and again, each time with another name. */
const longProject = (): Work => {
  const faucet = accepted.find(({ source }) => source.includes('Contract TokenFaucet'))!.source;
  const copies = Math.floor(longest / (faucet.length + 8));
  const named = Array.from({ length: copies }, (_, i) => faucet.replace('TokenFaucet', `TokenFaucet${i}`));
  return { operation: 'compile-project', source: named.join('\n') };
};

const longRow = (): Row => {
  const work = longProject();
  const times = Array.from({ length: isShort ? 2 : 10 }, () => processorTime(() => compile(work)) / 1000);
  return {
    row: `a project of ${counted(work.source.length, 'characters')}, median`,
    figure: `${median(times).toFixed(0)} ms`,
    bar: '2,000 ms',
  };
};

printRows([
  rateRow('sources of the vectors that are accepted', accepted, '3,000 sources/s or 1 MB/s'),
  rateRow('sources of the vectors that are rejected', rejected, undefined),
  longRow(),
]);
