import { askCluster, NoClusterRuns, operatorCommand } from '@shardnode/messages/cluster';

/** A service that the operator has stopped, and the command that starts it. */
export interface HeldService {
  readonly name: string;
  readonly release: string;
}

/** Services of a local cluster that are held; none where there is no such cluster, or it does not run. */
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
