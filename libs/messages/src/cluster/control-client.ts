import { connect } from 'node:net';
import { controlReply, controlSocketOf, type ControlReply, type ControlRequest } from './control-messages.js';

/** No cluster runs in the data folder, or it ended before the reply. */
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
 * Sends a request to the cluster of a data folder and waits for its completion, which may take as long as a restart of
 * a service.
 * @throws NoClusterRuns
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
