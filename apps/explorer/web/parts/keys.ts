import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

const key = 'single-keys';

/** Whether single keys do something; who speaks to the machine switches them off (WCAG 2.1.4). */
export const areKeysOn = signal(localStorage.getItem(key) !== 'off');

export const switchKeys = (): void => {
  areKeysOn.value = !areKeysOn.value;
  localStorage.setItem(key, areKeysOn.value ? 'on' : 'off');
};

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** The first of two keys. */
const prefix = 'g';
const longestPauseMs = 1_500;
let prefixAt = -Infinity;
/** Name of the key that is down: `p`, or `g p` just after the prefix. */
let name = '';

addEventListener(
  'keydown',
  (event) => {
    const pressed = event.key.toLowerCase();
    name = event.timeStamp - prefixAt < longestPauseMs ? `${prefix} ${pressed}` : pressed;
    prefixAt = name === prefix ? event.timeStamp : -Infinity;
  },
  { capture: true },
);

/** Single keys of the page that is shown, and two that follow each other: `g n`. In lower case; none while somebody writes. */
export const useKeys = (keys: Keys): void => {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, ctrlKey, metaKey, altKey } = event;
      const isWriting = target instanceof Element && target.matches('input, textarea, select');
      if (!areKeysOn.value || isWriting || ctrlKey || metaKey || altKey) return;
      newest.current[name]?.(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
};
