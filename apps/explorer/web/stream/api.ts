/** Reads of the API. Addresses are relative to the page's base, so that it works below any path. */

export class ApiFailure extends Error {
  constructor(
    /** 0: no answer at all. */
    readonly status: number,
    detail: string,
    readonly requestId: string | undefined,
    /** Milliseconds that the service asks to wait. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(detail);
  }
}

/** Names of protocol 08 for fields that this network names otherwise. */
let neutralNames: Readonly<Record<string, string>> = {};

export const setFieldNames = (names: Readonly<Record<string, string>>): void => void (neutralNames = names);

const parse = (text: string): unknown => {
  const names = Object.entries(neutralNames);
  return JSON.parse(names.reduce((json, [own, name]) => json.replaceAll(`"${own}":`, `"${name}":`), text));
};

export const addressOf = (path: string): string => new URL(path, document.baseURI).href;

const detailOf = async (response: Response): Promise<string> => {
  const body: unknown = await response.json().catch(() => ({}));
  const { detail } = body as { readonly detail?: unknown };
  return typeof detail === 'string' ? detail : response.statusText;
};

const failureOf = async (response: Response): Promise<ApiFailure> => {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return new ApiFailure(
    response.status,
    await detailOf(response),
    response.headers.get('x-request-id') ?? undefined,
    Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  );
};

/** Milliseconds for an answer: a connection may be silent. Reads that fail without one are tried again after a while. */
const longestRead = 15_000;
const retryAfterMs = 4_000;

/** An answer, read to its end: a connection may also break in the middle. @throws ApiFailure */
const answered = async <Content>(
  path: string,
  init: RequestInit,
  contentOf: (response: Response) => Promise<Content>,
): Promise<{ readonly response: Response; readonly content: Content }> => {
  let response: Response;
  let content: Content | undefined;
  try {
    response = await fetch(addressOf(path), init);
    content = response.ok ? await contentOf(response) : undefined;
  } catch {
    const isRead = init.method === undefined;
    throw new ApiFailure(0, 'The explorer does not answer', undefined, isRead ? retryAfterMs : undefined);
  }
  if (!response.ok) throw await failureOf(response);
  return { response, content: content as Content };
};

/** The file at a path. @throws ApiFailure */
export const readFile = async (path: string): Promise<Blob> =>
  (await answered(path, { headers: { accept: 'text/csv' } }, (response) => response.blob())).content;

/**
 * @param path without a slash before it
 * @param body what is posted; a path is only read without one
 * @param timeoutMs until there is an answer; what is posted may take its time
 * @throws ApiFailure
 */
export const readPart = async <Form>(
  path: string,
  body?: unknown,
  timeoutMs = body === undefined ? longestRead : undefined,
): Promise<{ readonly value: Form; readonly nextCursor?: string }> => {
  const init: RequestInit = {
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    // Asked for because something changed: an answer that the browser has kept is compared by its tag.
    cache: 'no-cache',
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
  };
  const { response, content } = await answered(path, init, (answer) => answer.text());
  return { value: parse(content) as Form, nextCursor: response.headers.get('x-next-cursor') ?? undefined };
};

export const read = async <Form>(path: string, body?: unknown): Promise<Form> =>
  (await readPart<Form>(path, body)).value;
