import { type Socket } from 'node:net';

/**
 * Ends a connection as a cut cable or a crash does: the other side loses what it has not read yet. A connection whose own
 * end is under way is closed instead. Node cannot reset it (`reset EINVAL`), never closes it afterwards, and a process
 * that has such a connection does not exit.
 */
export const resetConnection = (socket: Socket): void => {
  const isEnding = socket.writableEnded && !socket.writableFinished;
  if (isEnding) socket.destroy();
  else socket.resetAndDestroy();
};
