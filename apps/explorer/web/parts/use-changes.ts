import { useRef } from 'preact/hooks';

interface Seen {
  readonly value: unknown;
  readonly changes: number;
}

/** How often each of some named values has changed since it was first shown. */
export const useChanges = (values: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> => {
  const seen = useRef<ReadonlyMap<string, Seen>>(new Map());
  seen.current = new Map(
    [...values].map(([name, value]) => {
      const before = seen.current.get(name) ?? { value, changes: 0 };
      return [name, before.value === value ? before : { value, changes: before.changes + 1 }];
    }),
  );
  return new Map([...seen.current].map(([name, { changes }]) => [name, changes]));
};
