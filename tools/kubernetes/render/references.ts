import { isList, isObject, type Json } from '../json.js';

/** Where a resource names another: the field around the name, the field of the name, and the kind. */
const references: Readonly<Record<string, readonly [field: string, kind: string]>> = {
  configMap: ['name', 'ConfigMap'],
  configMapRef: ['name', 'ConfigMap'],
  configMapKeyRef: ['name', 'ConfigMap'],
  secret: ['name', 'Secret'],
  secretRef: ['name', 'Secret'],
  secretKeyRef: ['name', 'Secret'],
  persistentVolumeClaim: ['claimName', 'PersistentVolumeClaim'],
};

/** A volume names its Secret differently from all others. */
const fieldIn = (holder: Json, field: string): string =>
  isObject(holder) && field === 'name' && 'secretName' in holder ? 'secretName' : field;

/** Every reference below a value: kind and name. */
export const referencesIn = (
  value: Json | undefined,
): { readonly kind: string; readonly name: string; readonly holder: Json }[] => {
  if (isList(value)) return value.flatMap((entry) => referencesIn(entry));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const [field, kind] = references[key] ?? [];
    const inner = referencesIn(entry);
    if (field === undefined || kind === undefined || !isObject(entry)) return inner;
    const name = entry[fieldIn(entry, field)];
    return typeof name === 'string' ? [{ kind, name, holder: entry }, ...inner] : inner;
  });
};

/** The value with other names in its references. `rename` gives undefined for what keeps its name. */
export const withRenamedReferences = (
  value: Json,
  rename: (kind: string, name: string) => string | undefined,
): Json => {
  if (isList(value)) return value.map((entry) => withRenamedReferences(entry, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const [field, kind] = references[key] ?? [];
      const inner = withRenamedReferences(entry ?? null, rename);
      if (field === undefined || kind === undefined || !isObject(inner)) return [key, inner];
      const name = inner[fieldIn(inner, field)];
      const renamed = typeof name === 'string' ? rename(kind, name) : undefined;
      return [key, renamed === undefined ? inner : { ...inner, [fieldIn(inner, field)]: renamed }];
    }),
  );
};
