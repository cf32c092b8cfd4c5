import { identityOf, type Manifest } from '../manifest.js';

/** A problem of one resource of an overlay. */
export interface Problem {
  readonly identity: string;
  readonly text: string;
}

export const problemOf = (manifest: Manifest, text: string): Problem => ({ identity: identityOf(manifest), text });

/** Checks all resources of an overlay together. */
export type Check = (manifests: readonly Manifest[]) => Problem[];
