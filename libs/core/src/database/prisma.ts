import { PrismaPg } from '@prisma/adapter-pg';
import { type SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { breakConnection, type Connections } from './connections.js';
import { type HoldObserver } from './database.js';
import { isConnectionLost, unavailableReason } from './unavailable.js';

/** Bytes for Prisma, which requires an exclusive buffer. */
export const prismaBytes = (data: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(data);

/**
 * Prisma maps errors of the server to its own codes and drops unknown ones. It passes a plain error on, so an error
 * that makes the database unavailable becomes the cause of a plain error. Errors of a statement (P2002 ...) stay
 * Prisma's.
 */
const asPassedOn = (error: unknown): never => {
  throw unavailableReason(error) === undefined ? error : new Error((error as Error).message, { cause: error });
};

type Query = pg.QueryArrayConfig;

/** A connection for the length of a transaction. */
const forTransaction = (connections: Connections, client: pg.PoolClient): pg.PoolClient =>
  Object.create(client, {
    query: {
      value: (config: Query) =>
        client.query(config).catch((error: unknown) => {
          if (isConnectionLost(error)) {
            connections.distrust();
            breakConnection(client);
          }
          return asPassedOn(error);
        }),
    },
  }) as pg.PoolClient;

/**
 * Prisma's own PostgreSQL adapter over our connections: distrusted connections are not used, and the observer gets each
 * statement.
 * @param observed wraps a statement
 * @param held who hears how long a statement holds a shared connection
 */
export const prismaAdapterOver = (
  connections: Connections,
  schema: string,
  observed: <T>(work: Promise<T>) => Promise<T>,
  held: () => HoldObserver | undefined,
): SqlDriverAdapterFactory => {
  const pool = Object.create(connections.pool, {
    query: {
      value: (config: Query) => observed(connections.use((client) => client.query(config), held())).catch(asPassedOn),
    },
    connect: {
      value: () => connections.take().then((client) => forTransaction(connections, client), asPassedOn),
    },
  }) as pg.Pool;
  return new PrismaPg(pool, { schema });
};
