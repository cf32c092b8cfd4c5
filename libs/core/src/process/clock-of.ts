import { clockFromFile, systemClock, type Clock } from '../lifecycle/index.js';

/** The system's clock, or the one that a test moves. */
export const clockOf = (settings: { readonly CLOCK_OFFSET_FILE: string | undefined }): Clock =>
  settings.CLOCK_OFFSET_FILE === undefined ? systemClock : clockFromFile(settings.CLOCK_OFFSET_FILE);
