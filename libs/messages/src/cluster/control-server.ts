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
  /** Whoever waits for an answer hears that the cluster has ended. */
  close(): void;
}

/** Of another version of the operator's program: the cluster itself goes on. */
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

/** Only this user may connect: the mask holds while the system makes the file, which it does within `listen`. */
const listenPrivately = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
    const before = process.umask(0o177);
    server.listen(path);
    process.umask(before);
  });

/**
 * Answers the operator's program for a data folder, over a UNIX socket in it that this user alone may open. One request on each
 * connection; `handle` never rejects. @throws Error, with a sentence, when the path is too long or another cluster answers there
 */
export const serveControl = async (
  folder: string,
  handle: (request: ControlRequest) => Promise<ControlReply>,
): Promise<ControlServer> => {
  const path = controlSocketOf(folder);
  if (path.length > longestSocketPath) throw new Error(`the path ${path} is too long for a socket`);
  if (await clusterRuns(folder)) throw new Error(`another cluster answers at ${path}`);
  // A cluster that was killed has left it.
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Whoever asked has gone.
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
