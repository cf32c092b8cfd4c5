import { describe } from '@jest/globals';
import { describeWithServers } from '@shardnode/testing/servers';
import { obstacle } from '../../tools/containers/engine.js';
import { type Environment } from './child-process.js';
import { Cluster } from './cluster/cluster.js';
import { composeDeployment } from './compose-deployment.js';
import { type Deployment } from './deployment.js';
import { embeddedDeployment } from './embedded-deployment.js';

const kinds = ['embedded', 'cluster', 'compose'] as const;

/** Which network the scenarios run over: by `DEPLOYMENT`, `embedded` (the default), `cluster` or `compose`. */
export const deploymentKind = (): (typeof kinds)[number] => {
  const wanted = process.env['DEPLOYMENT'] ?? 'embedded';
  const kind = kinds.find((known) => known === wanted);
  if (!kind) throw new Error(`DEPLOYMENT must be one of ${kinds.join(', ')}, not ${wanted}`);
  return kind;
};

const deployments: Readonly<Record<(typeof kinds)[number], (settings: Environment) => Deployment>> = {
  embedded: embeddedDeployment,
  cluster: (settings) => new Cluster({ settings }),
  compose: (settings) => composeDeployment(settings),
};

export const deploymentUnderTest = (settings: Environment = {}): Deployment => deployments[deploymentKind()](settings);

/** Scenarios of a whole network, of whichever kind is under test. Without the servers that it needs: see `describeWithServers`. */
export const describeNetwork = (title: string, body: () => void): void => {
  const kind = deploymentKind();
  if (kind === 'embedded') describe(title, body);
  else if (kind === 'cluster') describeCluster(title, body);
  else describeContainers(title, body);
};

/**
 * Scenarios over containers, which take minutes and want root: only with `CONTAINERS=1`, and with `LONG=1` where they can
 * run; elsewhere they are skipped, and why is printed.
 */
export const describeContainers = (title: string, body: () => void): void => {
  const isAsked = process.env['CONTAINERS'] === '1';
  const problem = isAsked || process.env['LONG'] === '1' ? obstacle() : 'set CONTAINERS=1';
  if (problem === undefined || isAsked) {
    describe(title, body);
    return;
  }
  process.stderr.write(`skipped: ${title} over containers; ${problem}\n`);
  describe.skip(title, body);
};

/** Scenarios of `npm start` alone. */
export const describeEmbedded = (title: string, body: () => void): void =>
  (deploymentKind() === 'embedded' ? describe : describe.skip)(title, body);

/** Scenarios of a cluster alone, with servers of its own. */
export const describeCluster = (title: string, body: () => void): void =>
  describeWithServers(['postgres', 'nats', 'redis'], title, body);
