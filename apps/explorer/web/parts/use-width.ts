import { useSignal } from '@preact/signals';
import { type RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The width of an element in pixels, as the window changes; 0 before it is drawn. */
export const useWidth = (): { readonly element: RefObject<HTMLDivElement | null>; readonly width: number } => {
  const element = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => void (width.value = Math.floor(entry!.contentRect.width)));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return { element, width: width.value };
};
