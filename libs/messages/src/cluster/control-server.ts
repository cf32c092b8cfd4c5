import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { clusterRuns } from './control-client.js';
import {
  controlRequest,
  controlSocketOf,
  longestSocketPath,
  type ControlReply,
  type ControlRequest,
} from './control-messages.js';

export interface ControlServer {
  /** Closes the server. Clients in wait receive that the cluster has ended. */
  close(): void;
}

/** Reply to a command of another version of the operator's program; the cluster continues. */
const unknownCommand: ControlReply = {
  isDone: false,
  text: 'The cluster does not know this command: is it of another version?',
  services: [],
};

const requestIn = (line: string): ControlRequest | undefined => {
  try {
    return controlRequest.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
};

/** Restricts connections to this user: the umask applies while `listen` creates the socket file. */
const listenPrivately = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
    const before = process.umask(0o177);
    server.listen(path);
    process.umask(before);
  });

/**
 * Serves the operator's program for a data folder, over a UNIX socket that only this user may open. One request per
 * connection; `handle` never rejects.
 * @throws Error, with a sentence, if the path is too long or another cluster uses the socket
 */
export const serveControl = async (
  folder: string,
  handle: (request: ControlRequest) => Promise<ControlReply>,
): Promise<ControlServer> => {
  const path = controlSocketOf(folder);
  if (path.length > longestSocketPath) throw new Error(`the path ${path} is too long for a socket`);
  if (await clusterRuns(folder)) throw new Error(`another cluster answers at ${path}`);
  // The socket of a killed cluster.
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The client has disconnected.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    createInterface({ input: socket }).once('line', (line) => {
      const request = requestIn(line);
      const reply = request ? handle(request) : Promise.resolve(unknownCommand);
      void reply.then((said) => socket.end(JSON.stringify(said)));
    });
  });
  await listenPrivately(server, path);
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
