import { type Database, type DatabaseWriter, type WriterOptions } from '../database.js';
import { WriterLostError, writerExists } from '../database-error.js';

/**
 * Writers of an embedded database. The folder lock excludes other processes; within this process a schema has one
 * writer at a time. The lock cannot be lost.
 */
export class EmbeddedWriters {
  private readonly holders = new Map<string, string>();

  /** Throws DatabaseError `WriterExists`. */
  open(database: Database, { holder }: WriterOptions): DatabaseWriter {
    const { schema } = database;
    const other = this.holders.get(schema);
    if (other !== undefined) throw writerExists(schema, other);
    this.holders.set(schema, holder);
    let isHeld = true;
    const held = <T>(run: () => Promise<T>): Promise<T> =>
      isHeld ? run() : Promise.reject(new WriterLostError(new Error('the writer is closed')));
    const writer: DatabaseWriter = {
      schema,
      get isHeld() {
        return isHeld;
      },
      query: (name, text, values) => held(() => database.query(name, text, values)),
      transaction: (run, options) => held(() => database.transaction(run, options)),
      term: () => held(() => Promise.resolve(writer)),
      close: () => {
        if (isHeld) this.holders.delete(schema);
        isHeld = false;
        return Promise.resolve();
      },
    };
    return writer;
  }
}
