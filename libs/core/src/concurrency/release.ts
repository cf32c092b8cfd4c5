/** Releases a permit; a second call does nothing. */
export type Release = () => void;

export const releaseOnce = (release: () => void): Release => {
  let isHeld = true;
  return () => {
    if (isHeld) release();
    isHeld = false;
  };
};
