import { z } from 'zod';
import {
  address,
  blockHashText,
  contractAddress,
  fields,
  flag,
  type Leaf,
  meanings,
  type Mistake,
  mistake,
  optional,
  required,
  tokenIdText,
  transactionIdText,
} from '@shardnode/http';
import { day } from '../blocks/buckets.js';
import { explorerError } from '../errors.js';
import { cursorOf, type Page, type Part, type Place } from '../database/page.js';
import { type ExplorerSettings } from '../settings.js';

const parameters = { description: 'Parameters' };

/** Parameters of a query or a path, in the order in which mistakes are reported. */
export const parametersOf = <Shape extends z.ZodRawShape>(shape: Shape) => fields(shape, parameters);

const [int32Min, int32Max] = [-(2 ** 31), 2 ** 31 - 1];

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

const beyond = (value: number, { minimum, maximum }: Bounds): Mistake | undefined => {
  if (minimum !== undefined && value < minimum)
    return mistake(`expected value to be greater than or equal to ${minimum}, but got ${value}`);
  return maximum !== undefined && value > maximum
    ? mistake(`expected value to be less than or equal to ${maximum}, but got ${value}`)
    : undefined;
};

/** A whole number of 32 bits within bounds (protocol 08 §5.1, §5.3). */
export const integer = (description: string, example: number, bounds: Bounds = {}): Leaf<number> => ({
  expects: 'a whole number of 32 bits',
  read: (raw) => {
    const value = typeof raw === 'string' && /^[+-]?[0-9]{1,12}$/.test(raw) ? Number(raw) : NaN;
    return value >= int32Min && value <= int32Max ? (beyond(value, bounds) ?? value) : undefined;
  },
  meaning: { description, example, type: 'integer', format: 'int32', ...bounds },
});

/** One of some words. */
export const choice = <Word extends string>(
  words: readonly Word[],
  description: string,
  example: Word,
): Leaf<Word> => ({
  expects: `one of ${words.join(', ')}`,
  read: (raw) =>
    words.find((word) => word === raw) ??
    mistake(`expected value to be one of (${words.join(', ')}), but got: ${JSON.stringify(raw)}`),
  meaning: { description, example, type: 'string', enum: words },
});

const timeMax = 2n ** 63n - 1n;
/** Milliseconds since 1970. */
export const timestamp: Leaf<bigint> = {
  expects: 'milliseconds since 1970',
  read: (raw) => {
    const value = typeof raw === 'string' && /^[0-9]{1,19}$/.test(raw) ? BigInt(raw) : undefined;
    return value !== undefined && value <= timeMax ? value : undefined;
  },
  meaning: {
    description: 'Milliseconds since 1970',
    example: 1_611_041_396_892,
    type: 'integer',
    format: 'int64',
    minimum: 0,
    'x-unit': 'ms',
  },
};

/** The place of a row in a list, as an opaque text; `parts`: number of integers in the cursor. */
const cursor = (parts: number): Leaf<Place> => ({
  expects: 'a cursor of this list',
  read: (raw) => {
    if (typeof raw !== 'string' || !/^[A-Za-z0-9_-]{1,100}$/.test(raw)) return undefined;
    const texts = Buffer.from(raw, 'base64url').toString('latin1').split('.');
    const isPlace = texts.length === parts && texts.every((text) => /^[0-9]{1,19}$/.test(text));
    const place = isPlace ? texts.map(BigInt) : undefined;
    return place?.every((number) => number <= timeMax) === true ? place : undefined;
  },
  meaning: {
    description: 'Value of `X-Next-Cursor` of the answer before; `page` is ignored then',
    type: 'string',
    format: 'text',
    maxLength: 100,
  },
});

const maxLimit = 100;
export const defaultLimit = 20;

/** How many items an answer has at most. @param items what they are called */
export const limitParameter = (items: string, ofLimit = defaultLimit) =>
  optional(integer(`${items}; default ${ofLimit}`, ofLimit, { minimum: 0, maximum: maxLimit }));

/** `page` and `limit` (protocol 08 §5.2). */
export const pageParameters = (ofLimit = defaultLimit) => ({
  page: optional(integer('Page, from 1; default 1', 1, { minimum: 1 })),
  limit: limitParameter('Items of a page', ofLimit),
});
/** `page`, `limit` and `cursor`. @param parts number of integers in the cursor */
export const cursorParameters = (parts = 1) => ({
  ...pageParameters(),
  cursor: optional(cursor(parts)),
});

export const PageQuery = parametersOf(pageParameters());
export const CursorQuery = parametersOf(cursorParameters());

interface PageParameters {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: Place | undefined;
}

/**
 * The part of a list that a request names.
 * @throws ServiceError `PageTooDeep`
 */
export const pageOf = (
  { page = 1, limit = defaultLimit, cursor: after }: PageParameters,
  { maxOffset }: Pick<ExplorerSettings, 'maxOffset'>,
): Page => {
  if (after !== undefined) return { limit, offset: 0, after };
  const offset = (page - 1) * limit;
  if (offset > maxOffset) throw explorerError('PageTooDeep', 'Page too deep, use cursor', { field: 'page' });
  return { limit, offset };
};

interface Headers {
  header(name: string, value: string): unknown;
}

/** The items of a part; its cursor goes into the header `X-Next-Cursor`. */
export const itemsOf = <Item>({ items, next }: Part<Item>, reply: Headers): readonly Item[] => {
  if (next !== undefined) reply.header('x-next-cursor', cursorOf(next));
  return items;
};

const reversed = `\`fromTs\` must be before \`toTs\``;

/** @throws ServiceError `InvalidRequest` unless the interval goes forward */
export const checkInterval = (fromTs: bigint | undefined, toTs: bigint | undefined): void => {
  if (fromTs === undefined || toTs === undefined || fromTs < toTs) return;
  throw explorerError('InvalidRequest', `Invalid value for: query parameter fromTs (${reversed})`, { field: 'fromTs' });
};

/** @throws ServiceError `InvalidRequest` for an interval of more than so many days */
export const checkSpan = (fromTs: bigint, toTs: bigint, days: number): void => {
  if (toTs - fromTs <= BigInt(days) * day) return;
  throw explorerError('InvalidRequest', `Time span cannot be greater than ${days} days`, { field: 'toTs' });
};

/** @throws ServiceError `InvalidRequest` for a list in a body that is longer than `most` */
export const checkSize = (items: readonly unknown[], most: number): void => {
  if (items.length <= most) return;
  throw explorerError(
    'InvalidRequest',
    `Invalid value for: body (expected size of value to be less than or equal to ${most}, but got ${items.length})`,
  );
};

/** Texts of hexadecimal digits are read in upper case too and answered in lower case. */
export const BlockHashPath = parametersOf({ block_hash: required(blockHashText) });
export const TransactionHashPath = parametersOf({ transaction_hash: required(transactionIdText) });
export const TransactionIdPath = parametersOf({ transaction_id: required(transactionIdText) });
export const TokenPath = parametersOf({ token_id: required(tokenIdText) });

/** Any address; its text. */
export const addressText: Leaf<string> = {
  ...address,
  read: (raw) => {
    const read = address.read(raw);
    return read !== undefined && 'text' in read ? read.text : undefined;
  },
};
const contractText: Leaf<string> = {
  ...contractAddress,
  read: (raw) => {
    const read = contractAddress.read(raw);
    return read !== undefined && 'text' in read ? read.text : undefined;
  },
};
export const AddressPath = parametersOf({ address: required(addressText) });
export const AddressTokenPath = parametersOf({ address: required(addressText), token_id: required(tokenIdText) });
export const ContractPath = parametersOf({ contract_address: required(contractText) });
export const EmitterPath = parametersOf({ contract_address: required(addressText) });
export const InputPath = parametersOf({ input_address: required(addressText) });
export const EmitterInputPath = parametersOf({
  contract_address: required(addressText),
  input_address: required(addressText),
});

/** Leaves out what idle networks have most of. @param items those that are left */
export const paymentsParameter = (items: string) => ({
  payments: optional(flag(`Only ${items}; default false`, false)),
});

export const reverseParameter = { reverse: optional(flag('Oldest first; default false', false)) };

/** A body that is a list of values; its length is checked by `checkSize`. */
const listBody = <Value>(leaf: Leaf<Value>, what: string) =>
  z
    .array(required(leaf), { error: `expected a list of ${what}` })
    .register(meanings, { description: `List of ${what}`, type: 'array' });
export const AddressesBody = listBody(addressText, 'addresses');
export const BlocksBody = listBody(blockHashText, 'hashes of blocks');
export const TokensBody = listBody(tokenIdText, 'ids of tokens');
