import { signal } from '@preact/signals';

const key = 'absolute-times';

/** Whether times are shown instead of ages. */
export const areTimesAbsolute = signal(localStorage.getItem(key) === 'on');

export const switchTimes = (): void => {
  areTimesAbsolute.value = !areTimesAbsolute.value;
  localStorage.setItem(key, areTimesAbsolute.value ? 'on' : 'off');
};
