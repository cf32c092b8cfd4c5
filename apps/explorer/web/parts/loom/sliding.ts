import { useEffect, useLayoutEffect } from 'preact/hooks';
import { serverNow } from '../../store/network.js';
import { type Loom, shiftAt, type TimeScale } from './geometry.js';
import { pausedAt } from './state.js';

/** Where people want little motion, milliseconds. */
const slowStepMs = 1_000;

/** Calls `place` with the shift of what moves, in pixels, for each frame that is shown; once while the picture is stopped. */
export const useSliding = (loom: Loom, scale: TimeScale, place: (shift: number) => void, moved?: unknown): void => {
  const stoppedAt = pausedAt.value;
  const placeAt = (at: number): void => place(shiftAt(loom, scale, at));
  useLayoutEffect(() => placeAt(stoppedAt ?? serverNow()), [loom, scale, stoppedAt, moved]);
  useEffect(() => {
    if (stoppedAt !== undefined) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const timer = setInterval(() => document.hidden || placeAt(serverNow()), slowStepMs);
      return () => clearInterval(timer);
    }
    let frame = 0;
    const draw = (): void => {
      placeAt(serverNow());
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [loom, scale, stoppedAt]);
};
