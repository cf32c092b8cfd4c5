import {
  CompileError,
  compileContract,
  compileProject,
  compileScript,
  type ContractResult,
  formatError,
  type ProjectResult,
  type ScriptResult,
} from '@shardnode/compiler';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { hasPossibleLengths } from '@shardnode/protocol/script';
import { compiledContract, debugText, scriptListing } from '../compiled-code/index.js';
import { readVectorBytes, readVectors } from '../vectors/index.js';
import { mutatedSource } from './mutated-source.js';
import { randomSource } from './random-source.js';

/** Milliseconds of processor time above which a source is reported as slow: the longest of these take some tens. */
export const slowFrom = 500;

export interface CompilerFuzzOptions {
  readonly seed: number;
  /** Number of the first source. */
  readonly from: number;
  readonly count: number;
  readonly onSource?: (done: number) => void;
}

export interface CompilerFuzzTally {
  /** By origin of the source, then `accepted` or the title of the error. */
  readonly endings: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly violations: readonly string[];
  /** Sources above the bound of time. */
  readonly slow: readonly string[];
}

const operations = {
  'compile-contract': compileContract,
  'compile-script': compileScript,
  'compile-project': compileProject,
};
type Operation = keyof typeof operations;

interface FuzzSource {
  readonly origin: 'random' | 'changed';
  readonly operation: Operation;
  readonly text: string;
}

interface Named {
  readonly source_file: string;
}

/** Sources of all vectors, accepted and rejected ones. */
const vectorSources = (): string[] => {
  const accepted = ['compiler', 'compiler/generated'].flatMap((folder) =>
    readVectors<{ cases: readonly Named[] }>(`${folder}/expected.json`).cases.map(({ source_file: name }) =>
      new TextDecoder().decode(readVectorBytes(`${folder}/${name}`)),
    ),
  );
  const files = ['errors', 'generated/errors', 'grammar', 'builtins'];
  const others = files.flatMap((name) =>
    readVectors<{ cases: readonly { readonly code: string }[] }>(`compiler/${name}.json`).cases.map(({ code }) => code),
  );
  return [...new Set([...accepted, ...others])];
};

const operationNames: readonly Operation[] = [
  'compile-project',
  'compile-contract',
  'compile-project',
  'compile-script',
];

/** The sources of a seed by their numbers: even ones are random programs, odd ones changed sources of the vectors. */
export const fuzzSources = (seed: number): ((index: number) => FuzzSource) => {
  const corpus = vectorSources();
  return (index) =>
    index % 2 === 0
      ? { origin: 'random', operation: 'compile-project', text: randomSource(seed, index) }
      : {
          origin: 'changed',
          operation: operationNames[(index >> 1) % operationNames.length]!,
          text: mutatedSource(corpus, seed, index),
        };
};

type Result = ContractResult | ScriptResult | ProjectResult;

const problemsOfContract = ({
  name,
  bytecode,
  bytecodeDebugPatch,
  codeHash,
  codeHashDebug,
}: ContractResult): string[] => {
  // Decoding refuses bytes that are not those of the decoded code.
  const { methods, fieldLength } = compiledContract(bytecode);
  const debug = debugText(bytecode, bytecodeDebugPatch);
  compiledContract(debug);
  return [
    ...(blake2bHash(hexToBytes(bytecode)) === codeHash ? [] : [`the hash of ${name} is of other code`]),
    ...(blake2bHash(hexToBytes(debug)) === codeHashDebug ? [] : [`the patch of ${name} makes other code`]),
    ...(methods.length > 0 && fieldLength >= 0 && methods.every(hasPossibleLengths)
      ? []
      : [`${name} has methods that no contract may have`]),
  ];
};

const problemsOfScript = ({ bytecodeTemplate, bytecodeDebugPatch }: ScriptResult): string[] => {
  for (const template of [bytecodeTemplate, debugText(bytecodeTemplate, bytecodeDebugPatch)]) {
    scriptListing(template, 'stateful');
  }
  return [];
};

const problemsOf = (result: Result): string[] => {
  const all = 'contracts' in result ? [...result.contracts, ...result.scripts] : [result];
  return all.flatMap((each) => ('bytecode' in each ? problemsOfContract(each) : problemsOfScript(each)));
};

interface Outcome {
  readonly ending: string;
  /** The result or the error text. */
  readonly text: string;
  readonly problems: readonly string[];
}

const compiled = ({ operation, text }: FuzzSource): Outcome => {
  try {
    const result = operations[operation](text);
    return { ending: 'accepted', text: JSON.stringify(result), problems: problemsOf(result) };
  } catch (error) {
    if (error instanceof CompileError) return { ending: error.title, text: formatError(text, error), problems: [] };
    return { ending: 'crashed', text: '', problems: [(error as Error).stack ?? String(error)] };
  }
};

/** Compiles sources one at a time, each twice, and checks what must hold of every one. */
export const runCompilerFuzz = ({ seed, from, count, onSource }: CompilerFuzzOptions): CompilerFuzzTally => {
  const sourceOf = fuzzSources(seed);
  const endings = new Map<string, Map<string, number>>();
  const violations: string[] = [];
  const slow: string[] = [];
  for (let index = from; index < from + count; index++) {
    const source = sourceOf(index);
    const first = compiled(source);
    const before = process.cpuUsage();
    const second = compiled(source);
    const { user, system } = process.cpuUsage(before);
    const problems = [...first.problems, ...(second.text === first.text ? [] : ['another result the second time'])];
    for (const problem of problems) violations.push(`source ${index} of seed ${seed}: ${problem}`);
    const time = (user + system) / 1000;
    if (time > slowFrom) slow.push(`source ${index} of seed ${seed}: ${time.toFixed(0)} ms`);
    const counts = endings.get(source.origin) ?? new Map<string, number>();
    endings.set(source.origin, counts.set(first.ending, (counts.get(first.ending) ?? 0) + 1));
    onSource?.(index - from + 1);
  }
  return { endings, violations, slow };
};
