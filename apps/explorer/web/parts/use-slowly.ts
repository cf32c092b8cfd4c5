import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

const everyMs = 500;

/** Follows a value, but changes twice a second at most: for what is asked for again when the value changes. */
export const useSlowly = <Value>(value: Value): Value => {
  const shown = useSignal(value);
  const newest = useRef(value);
  newest.current = value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      shown.value = newest.current;
    }, everyMs);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return shown.value;
};
