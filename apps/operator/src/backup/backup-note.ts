import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { systemErrorText } from '@shardnode/core/errors';
import { CommandFailure } from '../command.js';

/** The note of a backup, in `FILE.json` beside it. */
const noteSchema = z.object({
  format: z.literal(1),
  /** `group-node-0`, `wallet-service`. */
  service: z.string(),
  schema: z.string(),
  /** Of a group: id of its network. */
  networkId: z.number().int().optional(),
  /** Of a group: hashes of the genesis blocks. */
  genesis: z.array(z.string()).optional(),
  /** Name of the newest migration. */
  migration: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
});

export type BackupNote = z.output<typeof noteSchema>;

/** Name of the file until the backup is complete. */
export const partFile = (path: string): string => `${path}.part`;

export const noteFile = (path: string): string => `${path}.json`;

export const digestOf = async (path: string): Promise<{ readonly bytes: number; readonly sha256: string }> => {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const part of createReadStream(path)) {
    digest.update(part as Buffer);
    bytes += (part as Buffer).length;
  }
  return { bytes, sha256: digest.digest('hex') };
};

const readNote = async (path: string): Promise<BackupNote> => {
  try {
    return noteSchema.parse(JSON.parse(await readFile(noteFile(path), 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const text =
      code === 'ENOENT'
        ? `${noteFile(path)} is not there: a backup has it beside it, written last. ${path} was not copied with it, or its making was cut short: take another backup.`
        : `${noteFile(path)} cannot be read (${code === undefined ? 'it is no note of a backup' : systemErrorText(error)}): a backup has it beside it.`;
    throw new CommandFailure(text, { cause: error });
  }
};

/** Reads the note of a backup, and verifies its file. @throws CommandFailure */
export const verifiedNote = async (path: string): Promise<BackupNote> => {
  const note = await readNote(path);
  const found = await digestOf(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${path} cannot be read: ${systemErrorText(error)}.`);
  });
  if (found.bytes !== note.bytes || found.sha256 !== note.sha256) {
    throw new CommandFailure(
      `${path} is damaged: it has ${found.bytes} bytes and another checksum than ${noteFile(path)} says (${note.bytes} bytes). Take another copy.`,
    );
  }
  return note;
};
