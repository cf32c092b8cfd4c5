import { isList, isObject, textAt, type Json, type JsonObject } from '../json.js';

/** Lists whose entries are known by one of their fields; those of a patch come first, changed or new. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  ports: 'containerPort',
  volumes: 'name',
  volumeMounts: 'mountPath',
};

/** Lists that a patch replaces. The rules for others are not ours to guess. */
const replacedLists = new Set(['sources', 'args', 'command', 'tls', 'hosts', 'items', 'rules']);

const mergedList = (key: string, old: readonly Json[], patch: readonly Json[]): Json => {
  if (replacedLists.has(key)) return patch;
  const name = mergeKeys[key];
  if (name === undefined) throw new Error(`a patch of the list ${key} is not known here; use one with op and path`);
  const nameIn = (entry: Json): Json | undefined => (isObject(entry) ? entry[name] : undefined);
  const changed = patch.map((entry) => {
    const before = old.find((other) => nameIn(other) === nameIn(entry));
    return before === undefined ? entry : strategicMerge(before, entry);
  });
  return [...changed, ...old.filter((entry) => !patch.some((other) => nameIn(other) === nameIn(entry)))];
};

/** A patch in the form of a part of the resource. null removes a field. */
export const strategicMerge = (old: Json, patch: Json): Json => {
  if (!isObject(old) || !isObject(patch)) return patch;
  const result: Record<string, Json | undefined> = { ...old };
  for (const [key, value] of Object.entries(patch)) {
    const before = old[key];
    if (key.startsWith('$')) throw new Error(`the directive ${key} of a patch is not known here`);
    if (value === null || value === undefined) delete result[key];
    else if (before === undefined || before === null) result[key] = value;
    else if (isList(before) && isList(value)) result[key] = mergedList(key, before, value);
    else result[key] = strategicMerge(before, value);
  }
  return result as JsonObject;
};

const pointerOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const operations = {
  add: (holder: Json[] | Record<string, Json>, key: string, value: Json) => {
    if (!Array.isArray(holder)) holder[key] = value;
    else if (key === '-') holder.push(value);
    else holder.splice(Number(key), 0, value);
  },
  replace: (holder: Json[] | Record<string, Json>, key: string, value: Json) => {
    if (!(key in holder)) throw new Error('there is nothing to replace');
    (holder as Record<string, Json>)[key] = value;
  },
  remove: (holder: Json[] | Record<string, Json>, key: string) => {
    if (!(key in holder)) throw new Error('there is nothing to remove');
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
};

/** A patch as a list of operations (RFC 6902): add, replace, remove. */
export const applyOperations = (old: Json, patch: readonly Json[]): Json => {
  const result = structuredClone(old) as Json;
  for (const entry of patch) {
    const [op, path] = [textAt(entry, 'op'), textAt(entry, 'path')];
    const operation = operations[op as keyof typeof operations];
    if (operation === undefined) throw new Error(`the operation ${op} of a patch is not known here`);
    const keys = pointerOf(path);
    const last = keys.pop()!;
    let holder: Json | undefined = result;
    for (const key of keys) holder = (holder as Record<string, Json> | undefined)?.[key];
    if (holder === undefined || holder === null || typeof holder !== 'object') throw new Error(`${path} is not there`);
    try {
      operation(holder as Json[], last, structuredClone((entry as JsonObject).value ?? null) as Json);
    } catch (error) {
      throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
    }
  }
  return result;
};
