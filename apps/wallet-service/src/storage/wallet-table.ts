import { type SchemaStatements } from '@shardnode/core/database';
import { type PasswordFailures } from '../keys/password-guard.js';
import { type WalletShape } from '../keys/unlocked-wallet.js';
import { type WalletRow, type WalletStore } from './wallet-store.js';

interface RawRow {
  readonly name: string;
  readonly is_miner: boolean;
  readonly address_count: number;
  readonly active_index: number;
  readonly secret: Buffer;
  readonly fingerprint: Buffer | null;
}

const fromRaw = (row: RawRow): WalletRow => ({
  name: row.name,
  isMiner: row.is_miner,
  addressCount: row.address_count,
  activeIndex: row.active_index,
  secret: row.secret,
  ...(row.fingerprint && { fingerprint: row.fingerprint }),
});

/** The wallets of a database. Names are values of a parameter, never part of a statement or a path. */
export class WalletTable implements WalletStore {
  private readonly table: string;

  constructor(private readonly database: SchemaStatements) {
    this.table = `"${database.schema}".wallet`;
  }

  async insert(row: WalletRow): Promise<boolean> {
    const rows = await this.database.query(
      'wallet_insert',
      `INSERT INTO ${this.table} (name, is_miner, address_count, active_index, secret, fingerprint)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (name) DO NOTHING RETURNING name`,
      [row.name, row.isMiner, row.addressCount, row.activeIndex, row.secret, row.fingerprint ?? null],
    );
    return rows.length === 1;
  }

  async find(name: string): Promise<WalletRow | undefined> {
    const [row] = await this.database.query<RawRow>(
      'wallet_find',
      `SELECT name, is_miner, address_count, active_index, secret, fingerprint FROM ${this.table} WHERE name = $1`,
      [name],
    );
    return row && fromRaw(row);
  }

  async names(): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      'wallet_names',
      `SELECT name FROM ${this.table} ORDER BY name COLLATE "C"`,
    );
    return rows.map(({ name }) => name);
  }

  async setAddresses(name: string, { addressCount, activeIndex }: WalletShape): Promise<void> {
    await this.database.query(
      'wallet_addresses',
      `UPDATE ${this.table} SET address_count = $2, active_index = $3 WHERE name = $1`,
      [name, addressCount, activeIndex],
    );
  }

  async setFingerprint(name: string, fingerprint: Uint8Array): Promise<void> {
    await this.database.query('wallet_fingerprint', `UPDATE ${this.table} SET fingerprint = $2 WHERE name = $1`, [
      name,
      fingerprint,
    ]);
  }

  async replaceSecret(row: WalletRow, secret: Uint8Array): Promise<boolean> {
    const rows = await this.database.query(
      'wallet_replace_secret',
      `UPDATE ${this.table} SET secret = $3, password_failures = 0, blocked_until = 0
       WHERE name = $1 AND secret = $2 RETURNING name`,
      [row.name, row.secret, secret],
    );
    return rows.length === 1;
  }

  async delete({ name, secret }: WalletRow): Promise<boolean> {
    const rows = await this.database.query(
      'wallet_delete',
      `DELETE FROM ${this.table} WHERE name = $1 AND secret = $2 RETURNING name`,
      [name, secret],
    );
    return rows.length === 1;
  }

  async failures(name: string): Promise<PasswordFailures> {
    const [row] = await this.database.query<{ count: number; until: bigint }>(
      'wallet_failures',
      `SELECT password_failures AS count, blocked_until AS until FROM ${this.table} WHERE name = $1`,
      [name],
    );
    return { count: row?.count ?? 0, blockedUntil: Number(row?.until ?? 0n) };
  }

  async setFailures(name: string, { count, blockedUntil }: PasswordFailures): Promise<void> {
    await this.database.query(
      'wallet_set_failures',
      `UPDATE ${this.table} SET password_failures = $2, blocked_until = $3 WHERE name = $1`,
      [name, count, blockedUntil],
    );
  }
}
