import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '../database-error.js';

/** Version of the layout of the data folder and of the cluster in it (PostgreSQL's major version). */
const layout = 1;
const clusterVersion = 18;

/** Content of the folder's `database.json`. It is written only when the cluster is complete. */
interface Marker {
  readonly layout: number;
  readonly cluster: number;
  /** Network that the data belongs to; chosen by the caller. */
  readonly identity: string;
}

export const clusterFolder = (dataDir: string): string => join(dataDir, 'cluster');
const markerFile = (dataDir: string): string => join(dataDir, 'database.json');

const readMarker = (dataDir: string): Marker | undefined => {
  if (!existsSync(markerFile(dataDir))) return undefined;
  try {
    return JSON.parse(readFileSync(markerFile(dataDir), 'utf8')) as Marker;
  } catch (error) {
    throw new DatabaseError(
      'DamagedFolder',
      `${markerFile(dataDir)} cannot be read.`,
      'Restore it from a backup, or start over with an empty data folder.',
      { cause: error },
    );
  }
};

/**
 * Inspects the folder before it is opened. True: it has a complete cluster. False: it has none; the remains of a killed
 * first start are removed. Throws DatabaseError for foreign content.
 */
export const inspectFolder = (dataDir: string, identity: string): boolean => {
  const marker = readMarker(dataDir);
  if (!marker) {
    const known = (name: string): boolean =>
      name === 'cluster' || name.startsWith('lock-') || name.endsWith('.partial');
    const foreign = readdirSync(dataDir).find((name) => !known(name));
    if (foreign !== undefined) {
      throw new DatabaseError(
        'FolderNotOurs',
        `The data folder ${dataDir} holds other things (${foreign}) and no database.`,
        'Choose an empty folder with DATA_DIR.',
      );
    }
    rmSync(clusterFolder(dataDir), { recursive: true, force: true });
    return false;
  }
  if (marker.layout !== layout || marker.cluster !== clusterVersion) {
    throw new DatabaseError(
      'OtherVersion',
      `The data in ${dataDir} has layout ${marker.layout}.${marker.cluster}, this program needs ${layout}.${clusterVersion}.`,
      'Start the version that made it, or start over with an empty data folder.',
    );
  }
  if (marker.identity !== identity) {
    throw new DatabaseError(
      'OtherNetwork',
      `The data in ${dataDir} belongs to another network (${marker.identity}, not ${identity}).`,
      'Start with the settings of that network, or choose another folder with DATA_DIR.',
    );
  }
  if (!existsSync(join(clusterFolder(dataDir), 'PG_VERSION'))) {
    throw new DatabaseError(
      'DamagedFolder',
      `The data folder ${dataDir} lacks its cluster.`,
      'Restore it from a backup, or start over with an empty data folder.',
    );
  }
  return true;
};

/** Marks the cluster as complete. */
export const markComplete = (dataDir: string, identity: string): void => {
  const marker: Marker = { layout, cluster: clusterVersion, identity };
  const partial = `${markerFile(dataDir)}.partial`;
  writeFileSync(partial, `${JSON.stringify(marker)}\n`);
  renameSync(partial, markerFile(dataDir));
};

/** Removes the cluster. Deletes the marker first: after a kill the rest counts as an incomplete cluster. */
export const removeCluster = (dataDir: string): void => {
  rmSync(markerFile(dataDir), { force: true });
  rmSync(clusterFolder(dataDir), { recursive: true, force: true });
};
