import { askCluster, NoClusterRuns, usualClusterFolder, type ControlRequest } from '@shardnode/messages/cluster';
import { CommandFailure, type RunCommand } from '../command.js';
import { parseWords } from '../words.js';
import { noClusterText } from './chosen-cluster.js';

type Change = Exclude<ControlRequest['command'], 'services'>;

const change =
  (command: Change): RunCommand =>
  async ({ words, cluster = usualClusterFolder }) => {
    const { SERVICE: service } = parseWords(words, {}, ['SERVICE']);
    try {
      const { isDone, text } = await askCluster(cluster, { command, service });
      if (!isDone) throw new CommandFailure(text);
      process.stdout.write(`${text}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof NoClusterRuns)) throw error;
      const text = error.hadBegun ? `The cluster in ${cluster} ended before it was done.` : noClusterText(cluster);
      throw new CommandFailure(text, { cause: error });
    }
  };

/** `hold`, `release` and `restart`: 0 on success. */
export const runHold = change('hold');
export const runRelease = change('release');
export const runRestart = change('restart');
