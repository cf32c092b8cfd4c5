import { howToReach, type LocalHealth, type LocalNetwork } from '../network/local-network.js';
import { type ExplorerReport } from '../status/explorers.js';
import { type Finding, fault, ok, skipped } from './finding.js';

const what = 'npm start';

const checkExplorer = ({ sync, failure }: ExplorerReport): Finding =>
  sync === undefined
    ? skipped('explorer', 'explorer', `none answers (${failure}): EXPLORER=off, or another EXPLORER_PORT`)
    : ok('explorer', 'explorer', `is ${sync.phase}`);

/** Checks the network of `npm start`, whose bus and database are inside its process. */
export const checkLocalNetwork = (
  network: LocalNetwork,
  health: LocalHealth | undefined,
  explorers: readonly ExplorerReport[],
): Finding[] => {
  if (health === undefined) {
    const text = `process ${network.pid} has the data folder ${network.folder}, but nothing answers at ${network.url}/health/cluster`;
    return [fault('local-network-silent', what, text, howToReach)];
  }
  const { groups, services } = health;
  return [
    ok('local-network', what, `runs (process ${network.pid}, ${network.folder}): ${network.url}/health/cluster`),
    ...[...groups, ...services].map(({ service, ready, reasons }) =>
      ready
        ? ok('service', service, 'is ready')
        : fault('service-not-ready', service, reasons.join('; '), `Look at ${network.url}/health/cluster.`),
    ),
    ...explorers.map(checkExplorer),
  ];
};
