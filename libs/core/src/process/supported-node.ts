import { StartFailure } from './start-failure.js';

/**
 * The oldest major version of Node that the programs run on: one that gets security fixes, because services hold keys. On
 * Linux `npm ci` installs a Node of its own, which every npm script runs on; the machine's Node runs npm.
 */
export const oldestNode = 24;

/**
 * A sentence for a version that is too old; undefined for a supported one.
 * @param version as in `process.versions.node`
 */
export const unsupportedNodeText = (version: string): string | undefined =>
  Number.parseInt(version, 10) >= oldestNode
    ? undefined
    : `This is Node ${version}, which is not supported: start with an npm script, which runs on the Node that npm ci installed, or install Node ${oldestNode} or newer.`;

/** @throws StartFailure if this process runs on an unsupported Node */
export const requireSupportedNode = (): void => {
  const text = unsupportedNodeText(process.versions.node);
  if (text !== undefined) throw new StartFailure(text);
};
