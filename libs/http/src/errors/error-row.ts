import { type ErrorKind, type ErrorKinds } from '@shardnode/core/errors';

/** A call like `POST /wallets/{wallet_name}/unlock`; the braces name data of the error, parameters of the path or fields of the body. */
type NextCall = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** One error as clients tell it apart. */
export interface ErrorRow {
  /** Gives the status, see `httpStatusOfKind`. */
  readonly kind: ErrorKind;
  /** The status where no kind has it. */
  readonly status?: number;
  /** When it is given; for the documentation. */
  readonly meaning: string;
  /**
   * Names that the wrong field has at different operations: `X-Error-Field` names the one that the request knows.
   */
  readonly fields?: readonly string[];
  /** What to call next, in `X-Error-Next`: one call, or by the call that failed or the first segment of its path. */
  readonly next?: NextCall | (Readonly<Record<string, NextCall>> & { readonly otherwise: NextCall });
  /** The fact of the error without which the next call does not help. */
  readonly nextNeeds?: string;
}

/** A row for each name of a table, with its kind. */
export type RowsOf<Kinds extends ErrorKinds> = {
  readonly [Name in keyof Kinds]: ErrorRow & { readonly kind: Kinds[Name] };
};

/** Rows of names that no service gives: the gateway makes these errors of the rows themselves (`errorOf`). */
export type OwnRows = Readonly<Record<string, ErrorRow>>;
