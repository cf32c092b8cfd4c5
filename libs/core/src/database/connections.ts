import type pg from 'pg';
import { type HoldObserver } from './database.js';
import { isConnectionLost } from './unavailable.js';

interface ClientWithSocket {
  readonly connection: { readonly stream: { destroy(): void } };
}

/** Ends a connection without waiting for the peer, which may be unreachable. */
export const breakConnection = (client: pg.Client | pg.PoolClient): void =>
  (client as unknown as ClientWithSocket).connection.stream.destroy();

/**
 * A pool that distrusts connections by age: once one connection is lost, older ones are not reused. Behind a cut cable
 * they would look idle and healthy, and each would cost its user a timeout.
 */
export class Connections {
  private readonly madeIn = new Map<pg.PoolClient, number>();
  private generation = 0;
  private ending: Promise<void> | undefined;
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

  /** Runs with an exclusive connection; `held` hears for how long. An error that means a lost connection ends the connection. */
  async use<T>(run: (client: pg.PoolClient) => Promise<T>, held?: HoldObserver): Promise<T> {
    const client = await this.take().catch((error: unknown) => {
      this.reachedLast = false;
      throw error;
    });
    const since = held && performance.now();
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
      this.giveBack(client, death);
      if (since !== undefined) held?.((performance.now() - since) / 1_000);
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
