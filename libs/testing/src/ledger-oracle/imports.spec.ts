import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

/** Permitted imports of the oracle: codecs, hashes, and the bus. No rule of the product. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  '@shardnode/protocol/address': ['addressOf'],
  '@shardnode/protocol/block': ['decodeBlock'],
  '@shardnode/protocol/crypto': ['blake2b', 'blake2bHash', 'blake2bTwice', 'blake3Twice'],
  '@shardnode/protocol/encoding': ['bytesToHex', 'decode', 'encode', 'hexToBytes'],
  '@shardnode/protocol/primitives': [],
  '@shardnode/protocol/transaction': ['outputCodec', 'transactionCodec', 'unsignedTransactionCodec'],
  '@shardnode/messages': ['bodyTaker'],
  'node:timers/promises': ['setTimeout'],
};

const folder = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));

interface Import {
  readonly file: string;
  readonly from: string;
  /** Values only: types have no effect. */
  readonly names: readonly string[];
}

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(folder, file), 'utf8');
  return [...text.matchAll(/^(?:import|export) ([^;]*?) ?from '([^']+)';/gms)].map(([, what, from]) => ({
    file,
    from: from!,
    names: what!
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim().split(' as ')[0]!)
      .filter((name) => name !== '' && !name.startsWith('type ')),
  }));
};

describe('the independence of the ledger oracle', () => {
  const imports = sources.flatMap(importsOf);

  it('is seen by this test', () => {
    expect(sources.length).toBeGreaterThan(10);
    for (const from of Object.keys(allowed)) expect(imports.map((entry) => entry.from)).toContain(from);
    for (const file of sources) expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/import\(|require\(/);
  });

  it('takes no rule from the product', () => {
    const foreign = imports.filter(({ from }) => !/^\.\/[a-z-]+\.js$/.test(from));
    const forbidden = foreign.filter(({ from, names }) => !names.every((name) => allowed[from]?.includes(name)));
    expect(forbidden).toEqual([]);
  });
});
