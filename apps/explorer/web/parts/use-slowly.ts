import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

const twiceASecond = 500;

/**
 * Follows a value, but seldom: for what is asked for again when the value changes.
 * @param everyMs milliseconds between two changes at least
 */
export const useSlowly = <Value>(value: Value, everyMs = twiceASecond): Value => {
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
