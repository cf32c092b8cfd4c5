import { fileURLToPath } from 'node:url';
import { checkPodSecurity, checkImages, checkProbes } from './checks/pod-security.js';
import { checkReferences, checkSelectors, checkVolumes } from './checks/references.js';
import { checkExposure, checkSettings } from './checks/settings.js';
import { type Check, type Problem } from './checks/problem.js';
import { identityOf, type Manifest } from './manifest.js';
import { render } from './render/render.js';
import { readWithoutCredentials } from './render/stand-in-credentials.js';
import { kubernetesVersions, schemaProblems } from './validate.js';

const folder = fileURLToPath(new URL('../../k8s/', import.meta.url));

/** Overlays that operators apply to a cluster. */
export const overlays = ['local', 'production'] as const;
export type Overlay = (typeof overlays)[number];

/** Its resources; credentials that nobody has made yet are stood in for. */
export const renderOverlay = (overlay: Overlay): Manifest[] =>
  render(`${folder}overlays/${overlay}`, readWithoutCredentials);

/** Checks of every overlay, by name. */
const checks: Readonly<Record<string, Check>> = {
  references: checkReferences,
  volumes: checkVolumes,
  selectors: checkSelectors,
  settings: checkSettings,
  exposure: checkExposure,
  'pod security': checkPodSecurity,
  probes: checkProbes,
  images: checkImages,
};

/** Everything that is wrong with the resources of an overlay. */
export const problemsOf = (manifests: readonly Manifest[]): Problem[] => [
  ...manifests.flatMap((manifest) =>
    kubernetesVersions.flatMap((version) =>
      schemaProblems(manifest, version).map((text) => ({
        identity: identityOf(manifest),
        text: `Kubernetes ${version}: ${text}`,
      })),
    ),
  ),
  ...Object.entries(checks).flatMap(([name, check]) =>
    check(manifests).map(({ identity, text }) => ({ identity, text: `${name}: ${text}` })),
  ),
];
