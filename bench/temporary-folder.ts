import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

export const temporaryFolder = (): TemporaryFolder => {
  const path = mkdtempSync(join(tmpdir(), 'shardnode-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
