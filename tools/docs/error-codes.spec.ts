import { describe, expect, it } from '@jest/globals';
import { errorTables, type ErrorRow, type RowsOf } from '@shardnode/http';
import { serviceError, type groupErrorKinds } from '@shardnode/messages';
import { refuse } from '@shardnode/protocol/validation';

describe('the table of error codes', () => {
  it('has each code once', () => {
    const all = Object.values(errorTables).flatMap((table) => Object.keys(table));
    expect(all.filter((code, i) => all.indexOf(code) !== i)).toEqual([]);
  });

  it('is held to the names by the compiler', () => {
    const row: ErrorRow = { kind: 'broken', meaning: 'of another kind than the table says' };
    // @ts-expect-error no rule has this name
    expect(refuse('NoSuchRule').code).toBe('NoSuchRule');
    // @ts-expect-error no service gives this name
    expect(() => serviceError('NoSuchName', 'detail').kind).not.toThrow();
    // @ts-expect-error rows are missing, and the kind of this one is another
    const rows: RowsOf<typeof groupErrorKinds> = { MempoolFull: row };
    expect(Object.keys(rows)).toEqual(['MempoolFull']);
  });
});
