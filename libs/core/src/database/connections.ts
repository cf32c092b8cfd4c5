import type pg from 'pg';
import { isConnectionLost } from './unavailable.js';

interface ClientWithSocket {
  readonly connection: { readonly stream: { destroy(): void } };
}

/** Ends a connection without waiting for the peer, which may be unreachable. */
export const breakConnection = (client: pg.Client | pg.PoolClient): void =>
  (client as unknown as ClientWithSocket).connection.stream.destroy();

/** Statements that share the only connection. */
interface Sharing {
  readonly client: Promise<pg.PoolClient>;
  users: number;
  death: Error | undefined;
}

/**
 * A pool that distrusts connections by age: once one connection is lost, older ones are not reused. Behind a cut cable
 * they would look idle and healthy, and each would cost its user a timeout.
 */
export class Connections {
  private readonly madeIn = new Map<pg.PoolClient, number>();
  private generation = 0;
  private ending: Promise<void> | undefined;
  /** Which the next statement joins, unless somebody has asked for an exclusive connection meanwhile. */
  private sharing: Sharing | undefined;
  /** Whether the last use of the database reached it. */
  reachedLast = true;

  constructor(readonly pool: pg.Pool) {
    pool.setMaxListeners(0);
    // A connection that dies while idle, or between two statements: its next user gets the error.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => {
      this.madeIn.set(client, this.generation);
      client.on('error', () => undefined);
    });
    pool.on('remove', (client) => this.madeIn.delete(client));
  }

  /** Runs with an exclusive connection. An error that means a lost connection ends the connection. */
  use<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.runWith(this.take(), run, (client, death) => this.giveBack(client, death));
  }

  /**
   * Runs one statement. Where there is only one connection, statements of different callers are sent without waiting for
   * each other's answers. They change nothing in the session that others could see.
   */
  useShared<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.pool.options.max > 1) return this.use(run);
    const sharing = this.sharing ?? this.share();
    sharing.users += 1;
    return this.runWith(sharing.client, run, (client, death) => {
      sharing.users -= 1;
      sharing.death ??= death;
      if (sharing.users === 0 || death) this.leave(sharing);
      if (sharing.users === 0) this.giveBack(client, sharing.death);
    });
  }

  private share(): Sharing {
    const sharing: Sharing = { client: this.take(), users: 0, death: undefined };
    this.sharing = sharing;
    sharing.client.catch(() => this.leave(sharing));
    return sharing;
  }

  private leave(sharing: Sharing): void {
    if (this.sharing === sharing) this.sharing = undefined;
  }

  private async runWith<T>(
    taken: Promise<pg.PoolClient>,
    run: (client: pg.PoolClient) => Promise<T>,
    ended: (client: pg.PoolClient, death: Error | undefined) => void,
  ): Promise<T> {
    const client = await taken.catch((error: unknown) => {
      this.reachedLast = false;
      throw error;
    });
    let death: Error | undefined;
    try {
      const result = await run(client);
      this.reachedLast = true;
      return result;
    } catch (error) {
      // Given an error, the pool discards the connection with all its plans. Only a lost connection should be
      // discarded.
      if (isConnectionLost(error)) death = error as Error;
      throw error;
    } finally {
      if (death) {
        this.reachedLast = false;
        this.distrust();
      }
      ended(client, death);
    }
  }

  /** Existing connections are not reused. */
  distrust(): void {
    this.generation++;
  }

  /**
   * Ends all connections once they are free.
   * @param patience milliseconds after which busy ones are broken; default: never
   */
  end(patience?: number): Promise<void> {
    return (this.ending ??= this.endAll(patience));
  }

  /** Takes a trusted connection; the caller releases it. */
  async take(): Promise<pg.PoolClient> {
    // Statements that come later wait behind this caller.
    this.sharing = undefined;
    for (;;) {
      const client = await this.pool.connect();
      if (this.madeIn.get(client) === this.generation) return client;
      this.giveBack(client, new Error('made before a connection was lost'));
    }
  }

  private giveBack(client: pg.PoolClient, death: Error | undefined): void {
    if (death) breakConnection(client);
    client.release(death);
  }

  private async endAll(patience: number | undefined): Promise<void> {
    const breakAll = (): void => {
      for (const client of this.madeIn.keys()) breakConnection(client);
    };
    const timer = patience === undefined ? undefined : setTimeout(breakAll, patience);
    try {
      await this.pool.end();
    } finally {
      clearTimeout(timer);
    }
  }
}
