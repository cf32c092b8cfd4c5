import { fileURLToPath } from 'node:url';
import { builtProgram } from '@shardnode/testing/built-program';
import { type Cluster } from './cluster/cluster.js';
import { type Environment, startProcess } from './child-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface OperatorResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command of the operator's program to its end, with exactly these settings. */
export const runOperator = async (words: readonly string[], environment: Environment): Promise<OperatorResult> => {
  const started = startProcess(process.execPath, [builtProgram('operator'), ...words], environment, root);
  const { code } = await started.ended;
  return { code, output: started.standardOutput(), errors: started.standardError() };
};

/** The same, for a command that must end well. Gives what it printed. */
export const succeed = async (words: readonly string[], environment: Environment): Promise<string> => {
  const { code, output, errors } = await runOperator(words, environment);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${output}${errors}`);
  return output;
};

/** The operator's settings for the bus of a cluster, past the proxies. */
export const operatorBus = (cluster: Cluster): Environment => {
  const { servers, user, password, ns } = cluster.busAccess('operator');
  return { NATS_URL: servers.join(','), NATS_NAMESPACE: ns, NATS_USER: user, NATS_PASSWORD: password };
};

/** The operator's settings for all databases of a cluster, each with its own role. */
export const operatorDatabases = (cluster: Cluster): Environment => ({
  // The kit gives all roles one password.
  DATABASE_URL: decodeURIComponent(cluster.databaseUrl('group-node-0').replaceAll('shardnode_group_0', '{database}')),
});
