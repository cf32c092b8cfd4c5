import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { ConfigurationError } from '../configuration/index.js';

/** Size and free space of the disk that holds a folder, in bytes. */
interface Room {
  readonly free: number;
  readonly size: number;
}

const roomOf = async (folder: string): Promise<Room> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
};

/**
 * Metrics of the disk that holds a folder. Absent while the folder cannot be read.
 * @throws ConfigurationError if it cannot be read at the start
 */
export const diskMetrics = (registry: Registry, folder: string): void => {
  try {
    statfsSync(folder);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigurationError([
      `DISK_FOLDER must be a folder of this machine, on the disk of the database; ${folder} cannot be looked at (${why}).`,
    ]);
  }
  const gauge = (name: string, help: string, read: (room: Room) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const room = await roomOf(folder).catch(() => undefined);
        if (room) this.set(read(room));
        else this.remove();
      },
    });
  };
  gauge('disk_free_bytes', 'Free space on the disk of DISK_FOLDER for unprivileged processes', ({ free }) => free);
  gauge('disk_size_bytes', 'Size of the disk of DISK_FOLDER', ({ size }) => size);
};
