import {
  CompileError,
  compileContract,
  compileProject,
  compileScript,
  type CompileSettings,
  type ContractResult,
  formatError,
  hintText,
  type ProjectResult,
} from '@shardnode/compiler';
import { mostCharacters } from '../../large-answers/most-characters.js';
import { type CompileJob, type CompileOperation, type CompileOutcome } from './compile-job.js';
import { isSmall, namesOf } from './source-names.js';

/** Contracts of one source whose names are retained. */
const mostNamed = 100;

interface Compiled {
  readonly answer: object;
  readonly contracts: readonly ContractResult[];
  /** Undefined: not told. */
  readonly structs?: ProjectResult['structs'];
}

type Compiler = (source: string, options: CompileSettings, version: string) => Compiled;

/** Results with their version (protocol 06 §10.2 to §10.4); the order of keys is documented. */
const compilers: Readonly<Record<CompileOperation, Compiler>> = {
  script: (source, options, version) => ({ answer: { version, ...compileScript(source, options) }, contracts: [] }),
  contract: (source, options, version) => {
    const contract = compileContract(source, options);
    return { answer: { version, ...contract }, contracts: [contract] };
  },
  project: (source, options, version) => {
    const { contracts, scripts, ...more } = compileProject(source, options);
    const answer = {
      contracts: contracts.map((contract) => ({ version, ...contract })),
      scripts: scripts.map((script) => ({ version, ...script })),
      ...more,
    };
    return { answer, contracts, structs: more.structs ?? [] };
  },
};

/** Compiles a source. Takes as long as the source wants, so it runs on a thread. */
export const compile = ({ operation, source, options, version }: CompileJob): CompileOutcome => {
  try {
    const { answer, contracts, structs } = compilers[operation](source, options, version);
    const json = JSON.stringify(answer);
    if (json.length > mostCharacters) return { kind: 'exceeded', bound: 'answer' };
    const names = contracts.slice(-mostNamed).map((contract) => namesOf(contract, structs));
    return { kind: 'compiled', json, names: names.filter(isSmall) };
  } catch (error) {
    if (error instanceof CompileError) {
      return { kind: 'rejected', text: formatError(source, error), hint: hintText(source, error) };
    }
    // A text, list or map that is longer than the engine allows.
    if (error instanceof RangeError) return { kind: 'exceeded', bound: 'memory' };
    throw error;
  }
};
