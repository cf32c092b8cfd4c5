import { type Clock } from '../lifecycle/index.js';
import { type Logger } from '../observability/index.js';
import { type Database } from './database.js';
import { DatabaseError } from './database-error.js';

export interface KeptWriterOptions {
  /** As in `WriterOptions`. */
  readonly holder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when another process has taken the lock: this one must end. */
  readonly onFatal: (error: Error) => void;
}

/** A writer's lock that is held for the life of the service. */
export interface KeptWriter {
  readonly isHeld: boolean;
  close(): Promise<void>;
}

/** Milliseconds between two attempts to take a lost lock again. */
const pause = 500;

/**
 * Takes the writer's lock for a service whose writes need no order, and retakes it after each loss. Throws
 * DatabaseError `WriterExists` if another process holds it at the start; later calls `onFatal` instead.
 */
export const keepWriter = async (database: Database, options: KeptWriterOptions): Promise<KeptWriter> => {
  const { holder, clock, logger, onFatal } = options;
  let isClosed = false;
  const takeAgain = async (): Promise<void> => {
    if (isClosed) return;
    try {
      await writer.term();
      logger.info({}, "the writer's lock is held again");
    } catch (error) {
      if (error instanceof DatabaseError && error.code === 'WriterExists') onFatal(error);
      else clock.after(pause, () => void takeAgain());
    }
  };
  const writer = await database.openWriter({ holder, onLost: () => void clock.after(pause, () => void takeAgain()) });
  return {
    get isHeld() {
      return writer.isHeld;
    },
    close: () => {
      isClosed = true;
      return writer.close();
    },
  };
};
