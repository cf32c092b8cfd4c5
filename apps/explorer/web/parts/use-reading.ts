import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Whether somebody reads in an element: points into it, has the focus there, or has scrolled into it. */
export const useReading = () => {
  const element = useRef<HTMLDivElement>(null);
  const isPointed = useSignal(false);
  const isScrolled = useSignal(false);
  useEffect(() => {
    // A page that is left may be scrolled once more.
    const onScroll = (): void => void (isScrolled.value = (element.current?.getBoundingClientRect().top ?? 0) < 0);
    onScroll();
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  const set = (isIn: boolean) => () => void (isPointed.value = isIn);
  const listeners = {
    onPointerEnter: set(true),
    onPointerLeave: set(false),
    onFocusIn: set(true),
    onFocusOut: set(false),
  };
  return { element, listeners, isReading: isPointed.value || isScrolled.value };
};
