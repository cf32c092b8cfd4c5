import { type Entry } from '../../../apps/explorer/test/recorded-answers/entries.js';
import { type ApiDocument, endpointsOf } from '../fuzz/described-api.js';

const membersOf = (body: unknown): [string, string][] =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.entries(body as Record<string, string>)
    : [];

/** Values of the parameters, and of the members of bodies, that recorded requests have, by name: most of them name something that is there. */
export const recordedValues = (
  document: ApiDocument,
  entries: readonly Entry[],
): Readonly<Record<string, readonly string[]>> => {
  const forms = endpointsOf(document).map(
    ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  );
  const values = new Map<string, Set<string>>();
  for (const { method, path, body } of entries.filter(({ current }) => current.status === 200)) {
    const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
    const groups = forms.map((form) => form.exec(`${method} ${pathname}`)?.groups ?? {});
    for (const [name, value] of [...groups.flatMap(Object.entries<string>), ...searchParams, ...membersOf(body)])
      values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return Object.fromEntries([...values].map(([name, known]) => [name, [...known]]));
};
