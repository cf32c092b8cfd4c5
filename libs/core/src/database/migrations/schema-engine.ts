/**
 * Prisma's schema engine as WebAssembly: equivalent to `prisma migrate deploy` (same lock, same table), without a
 * downloaded binary.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { type MigrationSource } from '../database.js';
import { DatabaseError } from '../database-error.js';
import { type MigrationScript } from './migration-folder.js';

interface SchemaEngine {
  applyMigrations(request: object): Promise<{ readonly appliedMigrationNames: readonly string[] }>;
  diff(request: object): Promise<{ readonly exitCode: number; readonly stdout?: string }>;
  free(): void;
}
interface EngineBindings {
  readonly SchemaEngine: {
    new: (options: object, log: (text: string) => void, adapter: unknown) => Promise<SchemaEngine>;
  };
  __wbg_set_wasm(exports: EngineExports): void;
}
interface EngineExports {
  __wbindgen_start(): void;
}
/** The compiler's library for programs without a browser lacks this type. */
interface WebAssemblyGlobal {
  readonly WebAssembly: {
    instantiate(
      bytes: Uint8Array,
      imports: object,
    ): Promise<{ readonly instance: { readonly exports: EngineExports } }>;
  };
}
const bindings = engineModule as unknown as EngineBindings;
const { WebAssembly } = globalThis as unknown as WebAssemblyGlobal;

/** The engine waits for its lock for 10 s by a timer that it never clears: that must not keep a process which has ended its work. */
const withoutHold = (action: () => void, milliseconds: number): NodeJS.Timeout =>
  setTimeout(action, milliseconds >>> 0).unref();
const imports = Object.fromEntries(
  Object.entries(engineModule).map(([name, binding]): [string, unknown] => [
    name,
    name.startsWith('__wbg_setTimeout_') ? withoutHold : binding,
  ]),
);

let loading: Promise<void> | undefined;
const loadEngine = (): Promise<void> => {
  loading ??= (async () => {
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => console.error(text) } });
    const packageFile = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
    const bytes = readFileSync(join(dirname(packageFile), 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports });
    bindings.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
  })();
  return loading;
};

const charType = 18;
const textType = 25;
const textColumn = 6;

interface RawResult {
  readonly fields: { dataTypeID: number }[];
}
/** The parts of the adapter that differ for migrations. */
interface OpenAdapter {
  performIO(query: unknown): Promise<RawResult>;
  queryRaw(query: unknown): Promise<{ columnTypes: number[] }>;
  executeScript(script: string): Promise<void>;
  underlyingDriver(): pg.Pool;
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The migration scripts while the engine runs them. */
class ScriptRuns {
  /** Error of a failed script: the engine reports only its position. */
  failure: Error | undefined;
  private readonly names: ReadonlyMap<string, string>;

  constructor(scripts: readonly MigrationScript[]) {
    this.names = new Map(scripts.map(({ name, sql }) => [sql, name]));
  }

  async run(pool: pg.Pool, script: string): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query(this.finishing(script));
    } catch (error) {
      const name = this.names.get(script);
      if (name !== undefined) this.failure = new Error(`migration ${name}: ${describe(error)}`, { cause: error });
      throw error;
    } finally {
      // After an error the pool would drop the connection with its lock and search path.
      client.release();
    }
  }

  /**
   * Marks a script as finished in the script's own transaction: PostgreSQL runs the statements of one message as one
   * transaction. So a script without a finished row had no effect, whenever the process was killed, and may be applied
   * again.
   */
  private finishing(script: string): string {
    const name = this.names.get(script);
    if (name === undefined) return script;
    const open = `migration_name = ${pg.escapeLiteral(name)} AND finished_at IS NULL AND rolled_back_at IS NULL`;
    return `${script}\n;UPDATE "_prisma_migrations" SET finished_at = now() WHERE ${open}`;
  }
}

/** The base adapter would split scripts at every `;`, and lacks the type "char" of the system tables. */
class MigrationAdapter extends PrismaPg {
  constructor(
    pool: pg.Pool,
    schema: string,
    private readonly runs: ScriptRuns,
  ) {
    super(pool, { schema });
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const open = adapter as unknown as OpenAdapter;
    const performIO = open.performIO.bind(open);
    const queryRaw = open.queryRaw.bind(open);
    let charColumns: number[] = [];
    open.executeScript = (script) => this.runs.run(open.underlyingDriver(), script);
    open.performIO = async (query) => {
      const result = await performIO(query);
      charColumns = [];
      result.fields.forEach((field, i) => {
        if (field.dataTypeID !== charType) return;
        field.dataTypeID = textType;
        charColumns.push(i);
      });
      return result;
    };
    open.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of charColumns) result.columnTypes[column] = textColumn;
      return result;
    };
    return adapter;
  }
}

const filters = { externalTables: [], externalEnums: [] };

/** Target of the engine: one connection, whose search path is the schema during the run. */
interface EngineTarget {
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly source: MigrationSource;
}

const withEngine = async <T>(
  { pool, schema, source }: EngineTarget,
  runs: ScriptRuns,
  run: (engine: SchemaEngine) => Promise<T>,
): Promise<T> => {
  await loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(pool, schema, runs));
  const datamodels = [['schema.prisma', readFileSync(source.schemaFile, 'utf8')]];
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, factory);
  try {
    return await run(engine);
  } finally {
    engine.free();
  }
};

const migrationsList = (folder: string, scripts: readonly MigrationScript[]): object => ({
  baseDir: folder,
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: scripts.map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  })),
});

const giveUp = (pool: pg.Pool, unfinished: readonly string[]): Promise<unknown> =>
  pool.query(
    `UPDATE "_prisma_migrations" SET rolled_back_at = now()
     WHERE migration_name = ANY ($1) AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [unfinished],
  );

export interface MigrationWork extends EngineTarget {
  readonly scripts: readonly MigrationScript[];
  /** Names of migrations that were started and had no effect: their process was killed, or they failed. */
  readonly unfinished: readonly string[];
}

/**
 * Applies the scripts that the schema lacks, and repeats unfinished ones. Throws DatabaseError `MigrationFailed`; the
 * failed script had no effect.
 */
export const applyMigrations = async ({ scripts, unfinished, ...target }: MigrationWork): Promise<void> => {
  const { pool, schema, source } = target;
  const runs = new ScriptRuns(scripts);
  await pool.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await pool.query(`SET search_path TO "${schema}"`);
  try {
    // Otherwise the engine refuses to continue (P3009). Its own call for this finds the table only in the schema
    // public.
    if (unfinished.length > 0) await giveUp(pool, unfinished);
    await withEngine(target, runs, (engine) =>
      engine.applyMigrations({ migrationsList: migrationsList(source.folder, scripts), filters }),
    );
  } catch (error) {
    throw new DatabaseError(
      'MigrationFailed',
      `The data of ${schema} could not be brought to this version: ${describe(runs.failure ?? error)}.`,
      'Nothing was changed. Mend what it says and start again, or start the version that made the data.',
      { cause: runs.failure ?? error },
    );
  } finally {
    await pool.query('SET search_path TO public');
  }
};

/** Compares a schema with its Prisma model. Returns the SQL that would make them equal, or nothing if they are. */
export const differenceToModel = async (
  pool: pg.Pool,
  schema: string,
  source: MigrationSource,
): Promise<string | undefined> => {
  const files = [{ path: 'schema.prisma', content: readFileSync(source.schemaFile, 'utf8') }];
  const { exitCode, stdout } = await withEngine({ pool, schema, source }, new ScriptRuns([]), (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters,
    }),
  );
  return exitCode === 2 ? (stdout ?? 'a difference') : undefined;
};
