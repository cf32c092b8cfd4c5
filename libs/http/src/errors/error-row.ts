import { type ErrorKind, type ErrorKinds } from '@shardnode/core/errors';

/**
 * A call such as `POST /wallets/{wallet_name}/unlock`. The braces name data of the error, path parameters or body
 * fields.
 */
type NextCall = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** One error, as clients distinguish it. */
export interface ErrorRow {
  /** Determines the status, see `httpStatusOfKind`. */
  readonly kind: ErrorKind;
  /** A status that no kind has. */
  readonly status?: number;
  /** When the error occurs; for the documentation. */
  readonly meaning: string;
  /** Names of the wrong field at different operations. `X-Error-Field` contains the one that the request has. */
  readonly fields?: readonly string[];
  /** Whether the text quotes the request, so that the names of the brand are not put into it. */
  readonly isQuoted?: boolean;
  /** The next call, in `X-Error-Next`: one call, or calls by the failed call or the first segment of its path. */
  readonly next?: NextCall | (Readonly<Record<string, NextCall>> & { readonly otherwise: NextCall });
  /** The next call if the error has this fact; otherwise `next`. */
  readonly nextWith?: Readonly<Record<string, NextCall>>;
  /** The fact of the error that the next call requires. */
  readonly nextNeeds?: string;
}

/** A row for each name of a table, with its kind. */
export type RowsOf<Kinds extends ErrorKinds> = {
  readonly [Name in keyof Kinds]: ErrorRow & { readonly kind: Kinds[Name] };
};

/** Rows of names that no service gives: the gateway makes these errors of the rows themselves (`errorOf`). */
export type OwnRows = Readonly<Record<string, ErrorRow>>;
