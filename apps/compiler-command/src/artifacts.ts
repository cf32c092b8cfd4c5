import { createHash } from 'node:crypto';
import { dirname, join, sep } from 'node:path';
import {
  compilerOptionNames,
  type ContractResult,
  type ProjectResult,
  releaseVersion,
  type ScriptResult,
} from '@shardnode/compiler';
import { type CompiledSources, type Declared } from './compile-sources.js';
import { type Plan } from './plan.js';
import { type Source } from './read-sources.js';

/** Texts of the files to write, by path. */
export type Files = ReadonlyMap<string, string>;

const projectFileName = '.project.json';
const structsFileName = 'structs.ral.json';
const externalFolder = '.external';
/** Names of a file that somebody else may have written lead to no other folder. */
const definitionName = /^[A-Z][A-Za-z0-9_]*$/;

export const projectFileOf = ({ projectFolder }: Plan): string => join(projectFolder, projectFileName);

const textOf = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** An artifact has no annotations of functions (protocol 06 §10.6). */
const functionSignatures = (functions: ContractResult['functions']) =>
  functions.map(({ name, paramNames, paramTypes, paramIsMutable, returnTypes }) => ({
    name,
    paramNames,
    paramTypes,
    paramIsMutable,
    returnTypes,
  }));

const contractArtifact = (result: ContractResult): string =>
  textOf({
    version: releaseVersion,
    name: result.name,
    bytecode: result.bytecode,
    codeHash: result.codeHash,
    fieldsSig: result.fields,
    eventsSig: result.events,
    functions: functionSignatures(result.functions),
    constants: result.constants,
    enums: result.enums,
    mapsSig: result.maps,
    stdInterfaceId: result.stdInterfaceId,
  });

const scriptArtifact = (result: ScriptResult): string =>
  textOf({
    version: releaseVersion,
    name: result.name,
    bytecodeTemplate: result.bytecodeTemplate,
    fieldsSig: result.fields,
    functions: functionSignatures(result.functions),
  });

/** Beside a source its artifacts, in the same folders; those of packages without the steps that lead out. */
const artifactPath = (folder: string, sourceFile: string, name: string): string => {
  const steps = sourceFile.split(sep);
  const inside = steps.filter((step) => step !== '..');
  const path = inside.length < steps.length ? join(externalFolder, ...inside) : sourceFile;
  return join(folder, dirname(path), `${name}.ral.json`);
};

/** A definition in the project file. */
interface DefinitionInfo {
  readonly sourceFile: string;
  readonly sourceCodeHash: string;
  readonly bytecodeDebugPatch: string;
  readonly codeHashDebug: string;
  readonly warnings: readonly string[];
}

const infoOf = (source: Source, result: Partial<ContractResult>): DefinitionInfo => ({
  sourceFile: source.relativePath,
  sourceCodeHash: createHash('sha256').update(source.text).digest('hex'),
  bytecodeDebugPatch: result.bytecodeDebugPatch ?? '',
  codeHashDebug: result.codeHashDebug ?? '',
  warnings: result.warnings ?? [],
});

const projectFile = ({ contracts, scripts }: ProjectResult, declared: readonly Declared[]): string => {
  const results = new Map<string, Partial<ContractResult>>([...contracts, ...scripts].map((each) => [each.name, each]));
  const infos = declared
    .map(({ name, source }) => [name, infoOf(source, results.get(name) ?? {})] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return textOf({
    fullNodeVersion: releaseVersion,
    compilerOptionsUsed: Object.fromEntries(compilerOptionNames.map((name) => [name, false])),
    infos: Object.fromEntries(infos),
  });
};

/** Artifacts, structs and the project file as the tools of the SDK read them (protocol 06 §10.6). */
export const filesOf = (plan: Plan, { result, declared }: CompiledSources): Files => {
  const files = new Map<string, string>();
  const sourceOf = new Map(declared.map(({ name, source }) => [name, source]));
  const pathOf = (name: string): string => artifactPath(plan.artifactFolder, sourceOf.get(name)!.relativePath, name);
  for (const contract of result.contracts) files.set(pathOf(contract.name), contractArtifact(contract));
  for (const script of result.scripts) files.set(pathOf(script.name), scriptArtifact(script));
  if (result.structs) files.set(join(plan.artifactFolder, structsFileName), textOf(result.structs));
  files.set(projectFileOf(plan), projectFile(result, declared));
  return files;
};

/** Paths of artifacts that a project file of an earlier run names; none if it is no project file. */
export const artifactsOfProjectFile = (plan: Plan, text: string): string[] => {
  try {
    const { infos } = JSON.parse(text) as { readonly infos: Readonly<Record<string, DefinitionInfo>> };
    const named = Object.entries(infos).filter(([name]) => definitionName.test(name));
    const paths = named.map(([name, { sourceFile }]) => artifactPath(plan.artifactFolder, sourceFile, name));
    return [...paths, join(plan.artifactFolder, structsFileName)];
  } catch {
    return [];
  }
};
