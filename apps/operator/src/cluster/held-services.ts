import { askCluster, NoClusterRuns, operatorCommand } from '@shardnode/messages/cluster';

/** A service on hold, and the command that starts it. */
export interface HeldService {
  readonly name: string;
  readonly release: string;
}

/** Services of a local cluster that are on hold; none when there is no such cluster, or it does not run. */
export const heldServices = async (cluster: string | undefined): Promise<readonly HeldService[]> => {
  if (cluster === undefined) return [];
  try {
    const { services } = await askCluster(cluster, { command: 'services' });
    return services
      .filter(({ state }) => state === 'held')
      .map(({ name }) => ({ name, release: operatorCommand(cluster, 'release', name) }));
  } catch (error) {
    if (error instanceof NoClusterRuns) return [];
    throw error;
  }
};
