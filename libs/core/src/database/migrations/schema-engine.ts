/**
 * Prisma's schema engine as WebAssembly: it does what `prisma migrate deploy` does (same lock, same table), without
 * downloading a binary.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
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
/** The compiler's library for a program without a browser does not name it. */
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

let loading: Promise<void> | undefined;
const loadEngine = (): Promise<void> => {
  loading ??= (async () => {
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => console.error(text) } });
    const packageFile = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
    const bytes = readFileSync(join(dirname(packageFile), 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': engineModule });
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
/** The parts of the adapter that migrations need otherwise. */
interface OpenAdapter {
  performIO(query: unknown): Promise<RawResult>;
  queryRaw(query: unknown): Promise<{ columnTypes: number[] }>;
  executeScript(script: string): Promise<void>;
  underlyingDriver(): pg.Pool;
}

/** The adapter would cut scripts at every `;`, and does not know the type "char" of the system tables. */
class MigrationAdapter extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const open = adapter as unknown as OpenAdapter;
    const performIO = open.performIO.bind(open);
    const queryRaw = open.queryRaw.bind(open);
    let charColumns: number[] = [];
    open.executeScript = async (script) => {
      await open.underlyingDriver().query(script);
    };
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

const withEngine = async <T>(
  pool: pg.Pool,
  schema: string,
  source: MigrationSource,
  run: (engine: SchemaEngine) => Promise<T>,
): Promise<T> => {
  await loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(pool, { schema }));
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

/** Applies the scripts that the schema lacks. `pool` has one connection, whose search path is the schema meanwhile. */
export const applyMigrations = async (
  pool: pg.Pool,
  schema: string,
  source: MigrationSource,
  scripts: readonly MigrationScript[],
): Promise<void> => {
  await pool.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await pool.query(`SET search_path TO "${schema}"`);
  try {
    await withEngine(pool, schema, source, (engine) =>
      engine.applyMigrations({ migrationsList: migrationsList(source.folder, scripts), filters }),
    );
  } catch (error) {
    throw new DatabaseError(
      'MigrationFailed',
      `The data of ${schema} could not be brought to this version: ${describe(error)}`,
      'Start the version that made it, or start over with an empty data folder.',
      { cause: error },
    );
  } finally {
    await pool.query('SET search_path TO public');
  }
};

/** Compares a schema with its Prisma model; the SQL that would make them equal, or nothing when they are. */
export const differenceToModel = async (
  pool: pg.Pool,
  schema: string,
  source: MigrationSource,
): Promise<string | undefined> => {
  const files = [{ path: 'schema.prisma', content: readFileSync(source.schemaFile, 'utf8') }];
  const { exitCode, stdout } = await withEngine(pool, schema, source, (engine) =>
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

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));
