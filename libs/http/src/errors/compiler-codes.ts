import { type OwnRows } from './error-row.js';

/** Errors of compiling a source (protocol 06 §10, 07 §10.4). */
export const compilerCodes = {
  CompileError: {
    kind: 'refused',
    meaning: 'the source does not compile: the detail shows the line, the column and what is wrong there',
    fields: ['code'],
    isQuoted: true,
  },
  SourceTooCostly: {
    kind: 'refused',
    meaning: 'compiling the source takes more time or memory, or its result is larger, than a request is given',
    fields: ['code'],
  },
} as const satisfies OwnRows;
