import { connect } from 'node:net';
import { controlReply, controlSocketOf, type ControlReply, type ControlRequest } from './control-messages.js';

/** Nobody answers for a data folder, or whoever did has ended before the answer. */
export class NoClusterRuns extends Error {
  constructor(
    message: string,
    readonly hadBegun: boolean,
  ) {
    super(message);
    this.name = 'NoClusterRuns';
  }
}

/**
 * Asks the cluster that runs in a data folder and waits until it has done so, which may take as long as a service takes to stop
 * and to start. @throws NoClusterRuns
 */
export const askCluster = (folder: string, request: ControlRequest): Promise<ControlReply> =>
  new Promise((resolve, reject) => {
    const socket = connect(controlSocketOf(folder));
    let answer = '';
    let isConnected = false;
    const fail = (): void => reject(new NoClusterRuns(`No cluster runs in ${folder}.`, isConnected));
    socket.setEncoding('utf8');
    socket.once('connect', () => {
      isConnected = true;
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on('data', (text: string) => (answer += text));
    socket.once('error', fail);
    socket.once('close', () => {
      try {
        resolve(controlReply.parse(JSON.parse(answer)));
      } catch {
        fail();
      }
    });
  });

/** Whether a cluster runs in a data folder. */
export const clusterRuns = async (folder: string): Promise<boolean> => {
  try {
    await askCluster(folder, { command: 'services' });
    return true;
  } catch (error) {
    if (error instanceof NoClusterRuns) return false;
    throw error;
  }
};
