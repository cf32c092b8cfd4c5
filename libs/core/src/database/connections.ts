import type pg from 'pg';
import { isConnectionLost } from './unavailable.js';

interface ClientWithSocket {
  readonly connection: { readonly stream: { destroy(): void } };
}

/** Ends a connection without waiting for the other side, which may be behind a cut cable. */
export const breakConnection = (client: pg.Client | pg.PoolClient): void =>
  (client as unknown as ClientWithSocket).connection.stream.destroy();

/**
 * A pool whose connections are told apart by age: once one of them is lost, those made before it are not trusted. Behind
 * a cut cable each of them would look idle and well, and cost its user a time-out.
 */
export class Connections {
  private readonly madeIn = new Map<pg.PoolClient, number>();
  private generation = 0;
  private ending: Promise<void> | undefined;
  /** Whether the database was there when it was used last. */
  reachedLast = true;

  constructor(readonly pool: pg.Pool) {
    pool.setMaxListeners(0);
    // A connection that dies while it is idle, or between two statements: whoever uses it next is told.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => {
      this.madeIn.set(client, this.generation);
      client.on('error', () => undefined);
    });
    pool.on('remove', (client) => this.madeIn.delete(client));
  }

  /** Runs with a connection of its own. An error that says that the connection is lost ends it. */
  async use<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.take().catch((error: unknown) => {
      this.reachedLast = false;
      throw error;
    });
    let death: Error | undefined;
    try {
      const result = await run(client);
      this.reachedLast = true;
      return result;
    } catch (error) {
      // The pool throws a connection away with all its plans when it is given an error: only a lost one deserves that.
      if (isConnectionLost(error)) death = error as Error;
      throw error;
    } finally {
      if (death) {
        this.reachedLast = false;
        this.distrust();
      }
      this.giveBack(client, death);
    }
  }

  /** No connection made so far is used again. */
  distrust(): void {
    this.generation++;
  }

  /** Ends all connections when they are free. @param patience milliseconds after which they are broken; default: never */
  end(patience?: number): Promise<void> {
    return (this.ending ??= this.endAll(patience));
  }

  /** A connection that is trusted; its user releases it. */
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
