import { resolve } from 'node:path';
import { type Environment } from '@shardnode/core/configuration';
import { clusterRuns, readClusterFile, usualClusterFolder, type ClusterFile } from '@shardnode/messages/cluster';
import { CommandFailure, UsageError, type CommandInput } from '../command.js';

const option = '--cluster';

interface ChosenWords {
  /** The value of `--cluster`. */
  readonly given: string | undefined;
  readonly words: readonly string[];
}

/** Removes `--cluster DIR` from the words of a command. @throws UsageError */
export const takeCluster = (words: readonly string[]): ChosenWords => {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
  if (at === -1) return { given: undefined, words };
  const isJoined = words[at] !== option;
  const given = isJoined ? words[at]!.slice(option.length + 1) : words[at + 1];
  if (given === undefined || given === '' || given.startsWith('--')) {
    throw new UsageError(`${option} needs the data folder of a cluster: ${option} ${usualClusterFolder}`);
  }
  const rest = words.toSpliced(at, isJoined ? 1 : 2);
  if (takeCluster(rest).given !== undefined) throw new UsageError(`${option} is there twice.`);
  return { given, words: rest };
};

const isSame = (value: string, other: string): boolean => value === other || resolve(value) === resolve(other);

/** Variables of the environment that contradict the cluster; empty ones do not. */
const contradictions = (environment: Environment, { variables }: ClusterFile): string[] => {
  const valueOf = (name: string): string => (environment[name] ?? '').trim();
  return Object.entries(variables).flatMap(([name, ours]) => {
    const setting = name.replace(/_FILE$/, '');
    // A secret may be given itself or as a file.
    const names = [...new Set([name, setting, `${setting}_FILE`])];
    return names.filter((one) => valueOf(one) !== '' && !(one === name && isSame(valueOf(one), ours)));
  });
};

const startCommand = (folder: string): string => {
  const settings = isSame(folder, usualClusterFolder) ? '' : `DATA_DIR=${folder} `;
  return `${settings}npm run cluster -- --servers`;
};

const reachGiven = async (folder: string, environment: Environment): Promise<Environment> => {
  const file = readClusterFile(folder);
  if (!file) {
    throw new CommandFailure(
      `${folder} is no data folder of a cluster that was ready once: it has no cluster.json.\nTo start one there: ${startCommand(folder)}`,
    );
  }
  const contradicting = contradictions(environment, file);
  if (contradicting.length > 0) {
    throw new CommandFailure(
      `${contradicting.join(', ')} ${contradicting.length === 1 ? 'says' : 'say'} something else than ${option} ${folder}. Unset ${contradicting.length === 1 ? 'it' : 'them'}, or leave ${option} out.`,
    );
  }
  if (file.ownServers && !(await clusterRuns(folder))) {
    throw new CommandFailure(
      `No cluster runs in ${folder}, and its servers have ended with it.\nTo start it: ${startCommand(folder)}`,
    );
  }
  return { ...environment, ...file.variables };
};

/** Undefined: the environment alone counts, because it names another network, or there is no cluster. */
const reachUsual = async (
  environment: Environment,
  print: (line: string) => void,
): Promise<Environment | undefined> => {
  const file = readClusterFile(usualClusterFolder);
  if (!file || contradictions(environment, file).length > 0) return undefined;
  if (file.ownServers && !(await clusterRuns(usualClusterFolder))) {
    print(
      `No cluster runs in ${usualClusterFolder} (${startCommand(usualClusterFolder)}): the environment says where the network is.`,
    );
    return undefined;
  }
  print(`The cluster in ${usualClusterFolder}:`);
  return { ...environment, ...file.variables };
};

const isDataDir = (word: string): boolean => word === '--data-dir' || word.startsWith('--data-dir=');

/**
 * The input of a command for a network: with the addresses and the files of secrets of the local cluster that
 * `--cluster` names, or of the usual one when it exists and the environment does not contradict it. @throws UsageError,
 * CommandFailure
 */
export const reachCluster = async (input: CommandInput, print: (line: string) => void): Promise<CommandInput> => {
  const { given, words } = takeCluster(input.words);
  if (words.some(isDataDir)) {
    if (given !== undefined) throw new UsageError(`${option} and --data-dir exclude each other.`);
    return input;
  }
  const { environment } = input;
  if (given !== undefined) return { words, environment: await reachGiven(given, environment), cluster: given };
  const reached = await reachUsual(environment, print);
  return reached ? { words, environment: reached, cluster: usualClusterFolder } : { words, environment };
};

/** The input of a command for the processes of a local cluster. @throws UsageError */
export const nameCluster = (input: CommandInput): CommandInput => {
  const { given, words } = takeCluster(input.words);
  return { ...input, words, cluster: given ?? usualClusterFolder };
};

/** The text for a folder without a running cluster, with the next step. */
export const noClusterText = (folder: string): string =>
  `No cluster runs in ${folder}.\nTo start it: ${startCommand(folder)}\nIf it runs elsewhere, name its data folder: ${option} DIR`;
