import { signal } from '@preact/signals';
import { type Migration } from './contract-life.js';
import { serverNow } from './network.js';

interface SeenCode {
  readonly hash: string;
  readonly migrations: readonly Migration[];
}

/** Codes of contracts that were looked at. */
const seen = signal<ReadonlyMap<string, SeenCode>>(new Map());

/** Notes the code of a contract as it is now. @param hash of the code */
export const noteCode = (address: string, hash: string): void => {
  const known = seen.peek().get(address);
  if (known?.hash === hash) return;
  const migrations =
    known === undefined ? [] : [...known.migrations, { timestamp: serverNow(), from: known.hash, to: hash }];
  seen.value = new Map(seen.value).set(address, { hash, migrations });
};

/** Changes of the code of a contract while the page was open, oldest first. */
export const migrationsOf = (address: string): readonly Migration[] => seen.value.get(address)?.migrations ?? [];
