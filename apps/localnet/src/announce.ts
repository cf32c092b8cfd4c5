import { StartFailure } from '@shardnode/core/process';
import { announcementText, type Announcement } from './announcement.js';

export interface AnnouncementOptions {
  readonly json: boolean;
  readonly quiet: boolean;
}

/** npm writes two lines before those of the program, unless it is silent. */
const withNpmLines = ({ npm_lifecycle_event: script, npm_config_loglevel: level }: NodeJS.ProcessEnv): boolean =>
  script !== undefined && level !== 'silent';

/**
 * A line on standard error for users who pipe the output of npm into a program that reads JSON. `command`: `start`,
 * `run cluster`.
 */
export const explainNpmLines = ({ json }: AnnouncementOptions, command: string): void => {
  if (!json || process.stdout.isTTY || !withNpmLines(process.env)) return;
  process.stderr.write(
    `npm writes lines of its own before the JSON; \`npm -s ${command} -- --json\` writes the JSON alone.\n`,
  );
};

const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    // The callback receives the failure; the event alone would end the process with a stack.
    process.stdout.on('error', () => undefined);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/**
 * Writes to standard output: one line of JSON for a program, the text for a person.
 * @throws StartFailure when standard output is closed
 */
export const announce = async ({ json, quiet }: AnnouncementOptions, announcement: Announcement): Promise<void> => {
  if (quiet) return;
  const { stdout } = process;
  const styled = stdout.isTTY && stdout.hasColors();
  const text = json ? `${JSON.stringify(announcement)}\n` : announcementText(announcement, styled);
  await write(text).catch((error: unknown) => {
    throw new StartFailure('The network is ready, but its standard output is closed; the network is stopped.', {
      cause: error,
    });
  });
};
