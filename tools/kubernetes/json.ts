/** Values as YAML and JSON have them. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The value at the path of the keys; undefined if the path does not exist. */
export const at = (value: Json | undefined, ...keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>((here, key) => (isObject(here) ? here[key] : undefined), value);

export const objectAt = (value: Json | undefined, ...keys: readonly string[]): JsonObject => {
  const found = at(value, ...keys);
  return isObject(found) ? found : {};
};

export const listAt = (value: Json | undefined, ...keys: readonly string[]): readonly Json[] => {
  const found = at(value, ...keys);
  return isList(found) ? found : [];
};

export const textAt = (value: Json | undefined, ...keys: readonly string[]): string => {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
};

/** Replaces the value at the path of the keys; creates missing objects. */
export const withValue = (
  value: Json | undefined,
  keys: readonly string[],
  change: (old: Json | undefined) => Json,
): Json => {
  const [key, ...rest] = keys;
  if (key === undefined) return change(value);
  const object = isObject(value) ? value : {};
  return { ...object, [key]: withValue(object[key], rest, change) };
};
